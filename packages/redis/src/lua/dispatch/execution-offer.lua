-- execution-offer: stores the request to run a program until a worker begins it.
--
-- KEYS[1]   prefix of the workspace
-- ARGV[1]   execution's id
-- ARGV[2]   the coordinator that asks for it
-- ARGV[3]   the request, as JSON
-- ARGV[4]   milliseconds until it expires, even if it is never forgotten
-- ARGV[5]   its command's id
-- ARGV[6]   fencing token of the lease that it runs under, empty if there is none
--
-- Replies   'offered'

local key = KEYS[1] .. 'execution:' .. ARGV[1]
redis.call('HSET', key, 'state', 'offered', 'owner', ARGV[2], 'request', ARGV[3], 'command', ARGV[5], 'fence', ARGV[6])
redis.call('PEXPIRE', key, ARGV[4])
redis.call('SADD', KEYS[1] .. 'executions:' .. ARGV[2], ARGV[1])
return 'offered'
