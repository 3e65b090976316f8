-- rotate: drops ended commands that are too old or too many, oldest first, and adds them to the kept totals.
--
-- Libraries   totals.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1..3]  how many ended commands stay at least, end time from which one stays, how many bytes may stay
-- ARGV[4..5]  how many of the first were skipped by earlier calls, how many are examined now, at least 1
-- ARGV[6..]   sessions whose commands stay
--
-- Replies     {how many were dropped, how many were skipped, 1 when there may be more}

local prefix = KEYS[1]
local ended = prefix .. 'commands:ended'
local since, most, passed, at_once = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local surplus = redis.call('ZCARD', ended) - tonumber(ARGV[1]) - passed
if surplus <= 0 then return { 0, 0, 0 } end

local spared = {}
for position = 6, #ARGV do spared[ARGV[position]] = true end

local bytes = tonumber(redis.call('GET', prefix .. 'commands:bytes') or '0')
local totals = rotated_totals(prefix)
local first = redis.call('ZRANGE', ended, passed, passed + math.min(surplus, at_once) - 1, 'WITHSCORES')
local lines = 0
for _ in pairs(totals) do lines = lines + 1 end
local gone, past, more = 0, 0, surplus > at_once and 1 or 0
for position = 1, #first, 2 do
  local member = first[position]
  if tonumber(first[position + 1]) >= since and bytes <= most then
    more = 0
    break
  end
  local id, line, duration, waited = ended_command(prefix, member)
  local command = prefix .. 'command:' .. id
  local known = redis.call('HMGET', command, 'session', 'bytes')
  if spared[known[1]] then
    past = past + 1
  else
    local kept = bounded_line(totals, lines, line)
    if not totals[kept] then lines = lines + 1 end
    add_to(totals, kept, 1, duration, waited)
    bytes = bytes - tonumber(known[2] or '0')
    redis.call('DECRBY', prefix .. 'commands:bytes', tonumber(known[2] or '0'))
    redis.call('DEL', command)
    redis.call('ZREM', ended, member)
    redis.call('ZREM', prefix .. 'commands:ids', id)
    redis.call('ZREM', prefix .. 'commands:newest', id)
    gone = gone + 1
  end
end
for line, sum in pairs(totals) do
  redis.call('HSET', prefix .. 'commands:rotated', line, cjson.encode(sum))
end
return { gone, past, more }
