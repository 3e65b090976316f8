-- release: gives all claims of a lease back, of a lost one too, and the place to the next.
--
-- Libraries   scoreboard.lua, queue.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1]     lease's id
-- ARGV[2..4]  most leases at once, time to live of a lease, most entries passed and places filled in one step
--
-- Replies     {'released', 'more' | 'all'} | {'not-held'}

local prefix = KEYS[1]
local id = redis.call('HGET', prefix .. 'holders', ARGV[1])
if not id then return { 'not-held' } end
local entry = entry_of(prefix, id)
local freed = end_lease(prefix, id, entry, tonumber(ARGV[4]))
return { 'released', go_on(prefix, entry[PROVIDER], freed, tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])) }
