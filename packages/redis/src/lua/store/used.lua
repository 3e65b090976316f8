-- used: how many a counter's window holds now.
--
-- KEYS[1]   prefix of the workspace
-- ARGV[1]   name of the counter
-- ARGV[2]   length of the window in milliseconds; empty: for ever
--
-- Replies   used

if ARGV[2] == '' then return tonumber(redis.call('GET', KEYS[1] .. 'total:' .. ARGV[1]) or '0') end
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local left = string.format('(%.3f', now - tonumber(ARGV[2]))
return redis.call('ZCOUNT', KEYS[1] .. 'counted:' .. ARGV[1], left, '+inf')
