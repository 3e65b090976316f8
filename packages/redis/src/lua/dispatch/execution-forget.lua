-- execution-forget: its coordinator no longer needs an execution. A forgotten one can't be begun or ended.
--
-- KEYS[1]   prefix of the workspace
-- ARGV[1]   execution's id
-- ARGV[2]   the coordinator
--
-- Replies   'forgotten'

local key = KEYS[1] .. 'execution:' .. ARGV[1]
local worker = redis.call('HGET', key, 'worker')
if worker then redis.call('SREM', KEYS[1] .. 'begun:' .. worker, ARGV[1]) end
redis.call('DEL', key)
redis.call('SREM', KEYS[1] .. 'executions:' .. ARGV[2], ARGV[1])
return 'forgotten'
