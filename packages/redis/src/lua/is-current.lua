-- is-current: whether this is the living lease of its claims.
--
-- Libraries   scoreboard.lua, queue.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1..2]  lease's id, fencing token
--
-- Replies     'current' | 'stale'

local id = redis.call('HGET', KEYS[1] .. 'lease-holders', ARGV[1])
if not id then return 'stale' end
local lease = redis.call('HMGET', KEYS[1] .. 'entry:' .. id, 'state', 'fence', 'expires')
local lives = lease[1] == 'held' and lease[2] == ARGV[2] and tonumber(lease[3]) > now_ms()
return lives and 'current' or 'stale'
