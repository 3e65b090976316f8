-- rotate: drops the commands that ended first, and keeps what they add to the totals.
--
-- Libraries   totals.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1]     how many ended commands stay
-- ARGV[2]     how many go at most, at least 1: call again until fewer have gone
--
-- Replies     how many went

local prefix = KEYS[1]
local ended = prefix .. 'commands:ended'
local surplus = math.min(redis.call('ZCARD', ended) - tonumber(ARGV[1]), tonumber(ARGV[2]))
if surplus <= 0 then return 0 end

local totals = rotated_totals(prefix)
for _, member in ipairs(redis.call('ZPOPMIN', ended, surplus)) do
  -- Every second one is a score.
  if string.find(member, ' ', 1, true) then
    local id, line, duration, waited = ended_command(prefix, member)
    add_to(totals, line, 1, duration, waited)
    redis.call('DEL', prefix .. 'command:' .. id)
    redis.call('ZREM', prefix .. 'commands:ids', id)
    redis.call('ZREM', prefix .. 'commands:newest', id)
  end
end
for line, sum in pairs(totals) do
  redis.call('HSET', prefix .. 'commands:rotated', line, cjson.encode(sum))
end
return surplus
