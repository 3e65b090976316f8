-- renew: pushes the expiry of a living lease back, counted from now.
--
-- Libraries   scoreboard.lua, queue.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1]     lease's id
-- ARGV[2]     time to live in milliseconds
--
-- Replies     {'renewed', lease as JSON} | {'expired'} | {'released'}

local prefix, now = KEYS[1], now_ms()
local id = redis.call('HGET', prefix .. 'holders', ARGV[1])
if not id then return { 'released' } end
local entry = entry_of(prefix, id)
if entry[STATE] ~= 'held' or entry[EXPIRES] <= now then return { 'expired' } end
entry[EXPIRES] = now + tonumber(ARGV[2])
keep_entry(prefix, id, entry, 0)
redis.call('ZADD', prefix .. 'leases', whole(entry[EXPIRES]), id)
return { 'renewed', lease_text(id, entry) }
