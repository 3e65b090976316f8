-- execution-end: the worker that began an execution reports once how it ended.
--
-- KEYS[1]   prefix of the workspace
-- ARGV[1]   execution's id
-- ARGV[2]   the worker
-- ARGV[3]   how it ended, as JSON
--
-- Replies   'ended' | 'gone': it is over, or was never this worker's

local prefix = KEYS[1]
local key = prefix .. 'execution:' .. ARGV[1]
local execution = redis.call('HMGET', key, 'state', 'worker', 'owner')
if execution[1] ~= 'begun' or execution[2] ~= ARGV[2] then return 'gone' end
redis.call('HSET', key, 'state', 'ended', 'result', ARGV[3])
redis.call('SREM', prefix .. 'begun:' .. ARGV[2], ARGV[1])
if redis.call('HEXISTS', prefix .. 'members', execution[3]) == 1 then
  local id = redis.call('XADD', prefix .. 'post:' .. execution[3], '*', 'message',
    '{"kind":"ended","execution":"' .. ARGV[1] .. '"}')
  redis.call('PUBLISH', prefix .. 'post:' .. execution[3], id)
end
return 'ended'
