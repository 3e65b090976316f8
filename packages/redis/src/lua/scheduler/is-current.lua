-- is-current: whether this is the living lease of its claims.
--
-- Libraries   scoreboard.lua, entries.lua, jobs.lua, queue.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1..3]  lease's id, its command's without 'cmd_', fencing token
--
-- Replies     'current' | 'stale'

local id, entry = holder_of(KEYS[1], ARGV[1], ARGV[2])
local lives = id and entry.state == 'held' and entry.fence == tonumber(ARGV[3]) and entry.expires > now_ms()
return lives and 'current' or 'stale'
