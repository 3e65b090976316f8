-- take: counts one more in a sliding window, unless the limit is reached.
--
-- KEYS[1]   prefix of the workspace
-- ARGV[1]   name of the counter
-- ARGV[2]   limit
-- ARGV[3]   length of the window in milliseconds; empty: for ever
--
-- Replies   {'taken', used} | {'exhausted', used, milliseconds until one leaves (a string) | 'never'}

local limit = tonumber(ARGV[2])

if ARGV[3] == '' then
  local total = KEYS[1] .. 'total:' .. ARGV[1]
  local used = tonumber(redis.call('GET', total) or '0')
  if used >= limit then return { 'exhausted', used, 'never' } end
  return { 'taken', redis.call('INCR', total) }
end

local counted = KEYS[1] .. 'counted:' .. ARGV[1]
local window = tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000

-- After the clock of Redis was set back, entries from the future would stay longer than the window.
for _, early in ipairs(redis.call('ZRANGE', counted, '(' .. string.format('%.3f', now), '+inf', 'BYSCORE')) do
  redis.call('ZADD', counted, now, early)
end
redis.call('ZREMRANGEBYSCORE', counted, '-inf', now - window)

local used = redis.call('ZCARD', counted)
if used >= limit then
  local leaving = redis.call('ZRANGE', counted, used - limit, used - limit, 'WITHSCORES')
  if not leaving[2] then return { 'exhausted', used, 'never' } end
  return { 'exhausted', used, string.format('%.3f', tonumber(leaving[2]) + window - now) }
end
redis.call('ZADD', counted, now, redis.call('INCR', KEYS[1] .. 'takes'))
redis.call('PEXPIRE', counted, math.ceil(window) + 1)
return { 'taken', used + 1 }
