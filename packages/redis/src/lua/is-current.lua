-- is-current: whether this is the living lease of its claims.
--
-- Libraries   scoreboard.lua, queue.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1..2]  lease's id, fencing token
--
-- Replies     'current' | 'stale'

local id = redis.call('HGET', KEYS[1] .. 'holders', ARGV[1])
if not id then return 'stale' end
local entry = entry_of(KEYS[1], id)
local lives = entry[STATE] == 'held' and entry[FENCE] == tonumber(ARGV[2]) and entry[EXPIRES] > now_ms()
return lives and 'current' or 'stale'
