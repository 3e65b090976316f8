-- take-run: gives a run to another owner, if its owner is still the expected one.
--
-- KEYS[1]     prefix of the workspace
-- ARGV[1..3]  id, expected owner, new owner (empty: none)
--
-- Replies     'taken' | 'other'

local run = KEYS[1] .. 'runs:' .. ARGV[1]
if redis.call('HGET', run, 'owner') ~= ARGV[2] then return 'other' end
redis.call('HSET', run, 'owner', ARGV[3])
return 'taken'
