-- cancel: takes a waiting command out of the queue.
--
-- Libraries   scoreboard.lua, entries.lua, jobs.lua, queue.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1]     id without 'cmd_'
-- ARGV[2..4]  most leases at once, time to live of a lease, most entries passed and places filled in one step
-- ARGV[5]     only when it waits for this lease; empty: for any
--
-- Replies     {'cancelled', 'more' | 'all'} | {'not-waiting'}

local prefix, id = KEYS[1], ARGV[1]
local entry = entry_of(prefix, id)
if not entry or entry.state ~= 'wait' or (ARGV[5] ~= '' and ARGV[5] ~= entry.lease) then
  return { 'not-waiting' }
end
local freed = leave_queue(prefix, id, entry, tonumber(ARGV[4]))
local rest = grant_next(prefix, freed, tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]))
keep_queue(prefix)
return { 'cancelled', rest }
