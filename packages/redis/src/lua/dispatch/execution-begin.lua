-- execution-begin: one worker takes an execution, and no other can. A worker that asks again must itself know whether
-- it has started the program.
--
-- KEYS[1]   prefix of the workspace
-- ARGV[1]   execution's id
-- ARGV[2]   the worker
--
-- Replies   {'begun', its owner, the request as JSON} | {'gone'}: withdrawn, begun by another, or over

local prefix = KEYS[1]
local key = prefix .. 'execution:' .. ARGV[1]
local execution = redis.call('HMGET', key, 'state', 'worker', 'owner', 'request')
local owner = execution[3]
-- The worker asks again because the reply was lost.
if execution[1] == 'begun' and execution[2] == ARGV[2] then return { 'begun', owner, execution[4] } end
if execution[1] ~= 'offered' then return { 'gone' } end
redis.call('HSET', key, 'state', 'begun', 'worker', ARGV[2])
local begun, keep_ms = prefix .. 'begun:' .. ARGV[2], redis.call('PTTL', key)
redis.call('SADD', begun, ARGV[1])
if redis.call('PTTL', begun) < keep_ms then redis.call('PEXPIRE', begun, keep_ms) end
if redis.call('HEXISTS', prefix .. 'members', owner) == 1 then
  local id = redis.call('XADD', prefix .. 'post:' .. owner, '*', 'message',
    '{"kind":"begun","execution":"' .. ARGV[1] .. '","worker":"' .. ARGV[2] .. '"}')
  redis.call('PUBLISH', prefix .. 'post:' .. owner, id)
end
return { 'begun', owner, execution[4] }
