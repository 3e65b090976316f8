-- executions-begun: the executions that a worker has begun and not ended.
--
-- KEYS[1]   prefix of the workspace
-- ARGV[1]   the worker
--
-- Replies   {{execution's id, its command's id, fencing token of its lease or empty} …}

local begun, found = KEYS[1] .. 'begun:' .. ARGV[1], {}
for _, id in ipairs(redis.call('SMEMBERS', begun)) do
  local execution = redis.call('HMGET', KEYS[1] .. 'execution:' .. id, 'state', 'command', 'fence')
  if execution[1] == 'begun' and execution[2] then
    found[#found + 1] = { id, execution[2], execution[3] }
  else
    redis.call('SREM', begun, id)
  end
end
return found
