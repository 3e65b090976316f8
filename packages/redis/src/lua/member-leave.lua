-- member-leave: a member is no more.
--
-- KEYS[1]   prefix of the workspace
-- ARGV[1]   the process's id
-- ARGV[2]   'dead': others have to see to what it led | 'settled': nothing is left of it
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
  redis.call('HDEL', prefix .. 'facts', 'mailbox:' .. id, 'isolation:' .. id)
  redis.call('DEL', prefix .. 'post:' .. id)
  -- What it had others run: nobody begins that any more, and nobody waits for it.
  for _, execution in ipairs(redis.call('SMEMBERS', prefix .. 'executions:' .. id)) do
    redis.call('DEL', prefix .. 'execution:' .. execution, prefix .. 'output:' .. execution)
  end
  redis.call('DEL', prefix .. 'executions:' .. id)
end
redis.call('PUBLISH', prefix .. 'members', id)
return 'done'
