-- execution-reap: nothing is left of an execution whose worker can't report how it ended.
--
-- If the worker comes back, it finds its execution over: it can't end it, and gets no permission to commit.
--
-- KEYS[1]   prefix of the workspace
-- ARGV[1]   execution's id
-- ARGV[2]   the worker that began it
-- ARGV[3]   fencing token of the lease that it ran under, empty if there was none
--
-- Replies   'reaped' | 'gone': it is over, or another's

local prefix = KEYS[1]
local key = prefix .. 'execution:' .. ARGV[1]
local state, worker, fence, owner = unpack(redis.call('HMGET', key, 'state', 'worker', 'fence', 'owner'))
if worker ~= ARGV[2] or fence ~= ARGV[3] then return 'gone' end
if state == 'reaped' then return 'reaped' end
if state ~= 'begun' then return 'gone' end
redis.call('HSET', key, 'state', 'reaped')
redis.call('SREM', prefix .. 'begun:' .. worker, ARGV[1])
if redis.call('HEXISTS', prefix .. 'members', owner) == 1 then
  local id = redis.call('XADD', prefix .. 'post:' .. owner, '*', 'message',
    '{"kind":"reaped","execution":"' .. ARGV[1] .. '"}')
  redis.call('PUBLISH', prefix .. 'post:' .. owner, id)
end
return 'reaped'
