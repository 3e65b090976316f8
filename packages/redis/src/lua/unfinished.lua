-- unfinished: every command that is not done, in the order they were first stored.
--
-- KEYS[1]   prefix of the workspace
--
-- Replies   the records as JSON, a list

local records = {}
for position, id in ipairs(redis.call('ZRANGE', KEYS[1] .. 'commands:unfinished', 0, -1)) do
  records[position] = redis.call('HGET', KEYS[1] .. 'command:' .. id, 'record')
end
return records
