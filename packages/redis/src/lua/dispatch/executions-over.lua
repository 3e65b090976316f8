-- executions-over: whether nothing is executed any more for a command of a dead coordinator. Executions that were not
-- begun can't be begun from now on.
--
-- KEYS[1]   prefix of the workspace
-- ARGV[1]   the dead coordinator
-- ARGV[2]   the command's id
--
-- Replies   'over' | 'running': a worker has begun one and not said how it ended

local answer = 'over'
for _, id in ipairs(redis.call('SMEMBERS', KEYS[1] .. 'executions:' .. ARGV[1])) do
  local key = KEYS[1] .. 'execution:' .. id
  local state, command = unpack(redis.call('HMGET', key, 'state', 'command'))
  -- An earlier version did not store the command.
  local is_its = not command or command == ARGV[2]
  if state == 'offered' and is_its then redis.call('HSET', key, 'state', 'unbegun') end
  if state == 'begun' and is_its then answer = 'running' end
end
return answer
