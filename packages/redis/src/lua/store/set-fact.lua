-- set-fact: sets a fact and notifies its watchers.
--
-- KEYS[1]   prefix of the workspace
-- ARGV[1]   name of the fact
-- ARGV[2]   new value, as canonical JSON
--
-- Replies   'set'

redis.call('HSET', KEYS[1] .. 'facts', ARGV[1], ARGV[2])
redis.call('PUBLISH', KEYS[1] .. 'facts', ARGV[1])
return 'set'
