-- compare-and-set: sets a fact only if its present value is the expected one, and notifies its watchers.
--
-- KEYS[1]   prefix of the workspace
-- ARGV[1]   name of the fact
-- ARGV[2]   new value, as canonical JSON
-- ARGV[3]   expected value, as canonical JSON; missing: only if there is none
--
-- Replies   'set' | 'other'

local facts = KEYS[1] .. 'facts'
local present = redis.call('HGET', facts, ARGV[1])
if present ~= (ARGV[3] or false) then return 'other' end
redis.call('HSET', facts, ARGV[1], ARGV[2])
redis.call('PUBLISH', facts, ARGV[1])
return 'set'
