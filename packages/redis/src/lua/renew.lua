-- renew: pushes the expiry of a living lease back, counted from now.
--
-- Libraries   scoreboard.lua, queue.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1]     lease's id
-- ARGV[2]     time to live in milliseconds
--
-- Replies     {'renewed', lease as JSON} | {'expired'} | {'released'}

local prefix, now = KEYS[1], now_ms()
local id = redis.call('HGET', prefix .. 'lease-holders', ARGV[1])
if not id then return { 'released' } end
local entry = prefix .. 'entry:' .. id
local state = redis.call('HMGET', entry, 'state', 'expires')
if state[1] ~= 'held' or tonumber(state[2]) <= now then return { 'expired' } end
local expires = whole(now + tonumber(ARGV[2]))
redis.call('HSET', entry, 'expires', expires)
redis.call('ZADD', prefix .. 'expiry', expires, id)
return { 'renewed', lease_text(prefix, id) }
