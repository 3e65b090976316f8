-- execution-settle: its coordinator has done with an execution, or withdraws one that nobody has begun.
--
-- KEYS[1]   prefix of the workspace
-- ARGV[1]   execution's id
-- ARGV[2]   'withdraw': only if nobody has begun it | 'over': whatever became of it
--
-- Replies   {'settled', how it ended as JSON, or empty} | {'begun', the worker} | {'gone'}

local key = KEYS[1] .. 'execution:' .. ARGV[1]
local execution = redis.call('HMGET', key, 'state', 'worker', 'result', 'owner')
if not execution[1] then return { 'gone' } end
if ARGV[2] == 'withdraw' and execution[1] == 'begun' then return { 'begun', execution[2] } end
redis.call('DEL', key)
redis.call('SREM', KEYS[1] .. 'executions:' .. execution[4], ARGV[1])
return { 'settled', execution[3] or '' }
