-- lease-left: the remaining time of a lease, by the clock of Redis.
--
-- Libraries   scoreboard.lua, entries.lua, jobs.lua, queue.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1..3]  lease's id, its command's without 'cmd_', fencing token
--
-- Replies     milliseconds, 0 when it is not the living lease of its claims

local id, entry = holder_of(KEYS[1], ARGV[1], ARGV[2])
if not id or entry.state ~= 'held' or entry.fence ~= tonumber(ARGV[3]) then return 0 end
return math.max(0, math.floor(entry.expires - now_ms()))
