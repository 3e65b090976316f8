-- cancel: takes a waiting command out of the queue.
--
-- Libraries   scoreboard.lua, queue.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1]     id
-- ARGV[2..4]  most leases at once, time to live of a lease, most entries passed in one step
--
-- Replies     {'cancelled', 'more' | 'all'} | {'not-waiting'}

local prefix, id = KEYS[1], ARGV[1]
if redis.call('HGET', prefix .. 'entry:' .. id, 'state') ~= 'waiting' then return { 'not-waiting' } end
leave_queue(prefix, id, tonumber(ARGV[4]))
fill_places(prefix, now_ms(), tonumber(ARGV[2]), tonumber(ARGV[3]))
return { 'cancelled', whether_more(prefix) }
