-- arrive: to be called first on every new connection. When Redis is not the one it was, it may have lost what it
-- granted last: then nothing is granted for one time to live, and whoever holds what Redis forgot comes to its
-- deadline before anybody else gets it. Numbers that must only grow go on from the time, which is further than
-- any of them can have come: nobody draws a thousand a second for long.
--
-- KEYS[1]   prefix of the workspace
-- ARGV[1]   the server that this process knew, empty at its start
-- ARGV[2]   time to live of a lease in milliseconds
--
-- Replies   the server now

local epoch = KEYS[1] .. 'epoch'
local server = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
local known = redis.call('HGET', epoch, 'server')
if known ~= server then redis.call('HSET', epoch, 'server', server, 'frozen', 'no') end

local changed = (known and known ~= server) or (ARGV[1] ~= '' and ARGV[1] ~= server)
if changed and redis.call('HGET', epoch, 'frozen') == 'no' then
  redis.call('HSET', epoch, 'frozen', 'yes')
  redis.call('SET', KEYS[1] .. 'frozen', 1, 'PX', ARGV[2])
  local now = tonumber(redis.call('TIME')[1]) * 1000
  local queue = redis.call('HGETALL', KEYS[1] .. 'queue')
  for position = 1, #queue, 2 do
    local name = queue[position]
    if (name == 'fence' or string.sub(name, 1, 5) == 'told:') and tonumber(queue[position + 1]) < now then
      redis.call('HSET', KEYS[1] .. 'queue', name, string.format('%.0f', now))
    end
  end
end
return server
