-- since: the events after an id, oldest first.
--
-- KEYS[1]   prefix of the workspace
-- ARGV[1]   id; empty: from the oldest kept
-- ARGV[2]   how many at most
--
-- Replies   {'reset'} | {'events', id, JSON, id, JSON …}

local function is_before(a, b)
  local a_ms, a_n = string.match(a, '^(%d+)-(%d+)$')
  local b_ms, b_n = string.match(b, '^(%d+)-(%d+)$')
  if a_ms == b_ms then return tonumber(a_n) < tonumber(b_n) end
  return tonumber(a_ms) < tonumber(b_ms)
end

local log, after = KEYS[1] .. 'events', ARGV[1]
local from = '-'
if after ~= '' then
  local newest = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)
  if not newest[1] or is_before(newest[1][1], after) then return { 'reset' } end
  local dropped = redis.call('GET', KEYS[1] .. 'events:dropped')
  if dropped and is_before(after, dropped) then return { 'reset' } end
  from = '(' .. after
end

local reply = { 'events' }
for _, entry in ipairs(redis.call('XRANGE', log, from, '+', 'COUNT', ARGV[2])) do
  reply[#reply + 1] = entry[1]
  reply[#reply + 1] = entry[2][2]
end
return reply
