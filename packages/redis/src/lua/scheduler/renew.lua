-- renew: pushes the expiry of a living lease back, counted from now.
--
-- Libraries   scoreboard.lua, entries.lua, jobs.lua, queue.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1..2]  lease's id; its command's without 'cmd_', or empty: not known
-- ARGV[3]     time to live in milliseconds
--
-- Replies     {'renewed', lease as JSON} | {'expired'} | {'released'}

local prefix, now = KEYS[1], now_ms()
local id, entry = holder_of(prefix, ARGV[1], ARGV[2])
if not id then return { 'released' } end
if entry.state ~= 'held' or entry.expires <= now then return { 'expired' } end
entry.expires = now + tonumber(ARGV[3])
keep_entry(prefix, id, entry)
redis.call('ZADD', prefix .. 'leases', whole(entry.expires), id)
return { 'renewed', lease_text(id, entry) }
