-- node-heartbeat: heartbeat of a process; returns the living and the dead members.
--
-- If there was no heartbeat at all for half a time to live, Redis was unreachable or no process was running: then no
-- member is declared dead for one more time to live.
--
-- KEYS[1]   prefix of the workspace
-- ARGV[1]   the process's id
-- ARGV[2]   time to live in milliseconds
-- ARGV[3]   its description of itself, as JSON without its braces
--
-- Replies   {now, {members that live, as JSON}, {members that died, as JSON}}

local prefix, me, ttl = KEYS[1], ARGV[1], tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local living, dead, told = prefix .. 'members:living', prefix .. 'members:dead', prefix .. 'members'

local function whole(number)
  return string.format('%.0f', number)
end

local last = tonumber(redis.call('GET', prefix .. 'members:beat') or '0')
redis.call('SET', prefix .. 'members:beat', whole(now))
if now - last > ttl / 2 then
  for _, id in ipairs(redis.call('ZRANGE', living, 0, -1)) do redis.call('ZADD', living, 'GT', whole(now + ttl), id) end
end

-- A member that was declared dead but lives is accepted again; what others took over meanwhile stays theirs.
redis.call('ZREM', dead, me)
redis.call('ZADD', living, whole(now + ttl), me)
redis.call('HSET', prefix .. 'members:seen', me, whole(now))
local known = redis.call('HGET', told, me)
local since = known and known:match('"startedAt":(%d+)}$') or whole(now)
local says = '{' .. ARGV[3] .. ',"startedAt":' .. since .. '}'
if says ~= known then
  redis.call('HSET', told, me, says)
  redis.call('PUBLISH', prefix .. 'members', me)
end

for _, id in ipairs(redis.call('ZRANGE', living, '-inf', whole(now), 'BYSCORE')) do
  redis.call('ZREM', living, id)
  redis.call('ZADD', dead, whole(now), id)
end

local function all_of(ids)
  local members = {}
  for _, id in ipairs(ids) do members[#members + 1] = redis.call('HGET', told, id) or nil end
  return members
end

return { whole(now), all_of(redis.call('ZRANGE', living, 0, -1)), all_of(redis.call('ZRANGE', dead, 0, -1)) }
