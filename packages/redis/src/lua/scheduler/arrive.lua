-- arrive: to be called first on every new connection, and then repeatedly. If Redis is another server or has lost its
-- data, it may have lost its latest grants. Then nothing is granted for one time to live, so that a holder whose lease
-- Redis forgot reaches its deadline first. Numbers that must only grow continue from the time in milliseconds, which is
-- above any of them, as long as fewer than a thousand are drawn per second.
--
-- Libraries   format.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1]     the epoch that this process knew, empty at its start
-- ARGV[2]     time to live of a lease in milliseconds
--
-- Replies     the epoch now: of this server, and of what it keeps

local prefix, known_epoch = KEYS[1], ARGV[1]
local epoch, queue = prefix .. 'epoch', prefix .. 'queue'
check_format(redis.call('HGET', queue, 'format'))

local time = redis.call('TIME')
local server = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
local known_server = redis.call('HGET', epoch, 'server')
-- Identifies the data: it is replaced when everything was lost.
if redis.call('HSETNX', epoch, 'born', time[1] .. '.' .. time[2]) == 1 then redis.call('HSET', queue, 'format', FORMAT) end
if known_server ~= server then redis.call('HSET', epoch, 'server', server, 'frozen', 'no') end
local now_epoch = server .. ' ' .. redis.call('HGET', epoch, 'born')

local changed = (known_server and known_server ~= server) or (known_epoch ~= '' and known_epoch ~= now_epoch)
if changed and redis.call('HGET', epoch, 'frozen') == 'no' then
  redis.call('HSET', epoch, 'frozen', 'yes')
  redis.call('SET', prefix .. 'frozen', 1, 'PX', ARGV[2])
  local now = time[1] * 1000
  local fields = redis.call('HGETALL', queue)
  for position = 1, #fields, 2 do
    local name = fields[position]
    if (name == 'fence' or string.sub(name, 1, 5) == 'told:') and tonumber(fields[position + 1]) < now then
      redis.call('HSET', queue, name, string.format('%.0f', now))
    end
  end
end
return now_epoch
