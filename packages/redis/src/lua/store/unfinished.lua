-- unfinished: commands that are not done, in the order they were first stored.
--
-- KEYS[1]   prefix of the workspace
-- ARGV[1]   how many at most; -1: all
-- ARGV[2..] states; none: all of them
--
-- Replies   {{id, the record as JSON} ...}

local most, wanted, records = tonumber(ARGV[1]), {}, {}
for position = 2, #ARGV do wanted[ARGV[position]] = true end
for _, id in ipairs(redis.call('ZRANGE', KEYS[1] .. 'commands:unfinished', 0, -1)) do
  if #records == most then break end
  local found = redis.call('HMGET', KEYS[1] .. 'command:' .. id, 'record', 'state')
  if #ARGV == 1 or wanted[found[2]] then records[#records + 1] = { id, found[1] or '' } end
end
return records
