-- node-leave: removes a member.
--
-- KEYS[1]   prefix of the workspace
-- ARGV[1]   the process's id
-- ARGV[2]   'dead': others must take over what it led | 'settled': nothing is left to take over
--
-- Replies   'done' | 'unknown': there is no such member

local prefix, id = KEYS[1], ARGV[1]
if redis.call('HEXISTS', prefix .. 'members', id) == 0 then return 'unknown' end
redis.call('ZREM', prefix .. 'members:living', id)
if ARGV[2] == 'dead' then
  redis.call('ZADD', prefix .. 'members:dead', 'NX', redis.call('TIME')[1] * 1000, id)
else
  redis.call('ZREM', prefix .. 'members:dead', id)
  redis.call('HDEL', prefix .. 'members', id)
  redis.call('HDEL', prefix .. 'members:seen', id)
  redis.call('HDEL', prefix .. 'facts', 'control-messages:' .. id, 'isolation:' .. id)
  redis.call('DEL', prefix .. 'post:' .. id)
  -- Its executions on workers: those not begun can't be begun, and no process waits for the others.
  for _, execution in ipairs(redis.call('SMEMBERS', prefix .. 'executions:' .. id)) do
    redis.call('DEL', prefix .. 'execution:' .. execution, prefix .. 'output:' .. execution)
  end
  redis.call('DEL', prefix .. 'executions:' .. id)
end
redis.call('PUBLISH', prefix .. 'members', id)
return 'done'
