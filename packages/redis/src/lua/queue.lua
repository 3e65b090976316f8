-- The queue before the places, the leases of those who have one, and who is told what.
--
-- Needs scoreboard.lua. '<prefix>entry:<id>' is a hash of each command in the house:
--   entry      as JSON, without the braces around it: it is put into larger objects
--   locks, arrival, provider, priority, since, owner, lease
--   state      waiting | held | lost
--   fence, granted, expires   under a lease
--
-- A waiting command is in `waiting` by arrival, and in `ready` by priority when all its locks are free; one under
-- a lease is in `leases` by fencing token, and in `expiry` while the lease lives. All times are epoch milliseconds
-- by the clock of Redis.

local MAX_BLOCKERS = 20

local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function whole(number)
  return string.format('%.0f', number)
end

local function ready_member(arrival, id)
  return string.format('%016.0f', arrival) .. ' ' .. id
end

-- To be called for a command whose last lock became free.
local function ready_maker(prefix)
  return function(id)
    local entry = redis.call('HMGET', prefix .. 'entry:' .. id, 'priority', 'arrival')
    redis.call('ZADD', prefix .. 'ready', entry[1], ready_member(tonumber(entry[2]), id))
  end
end

-- The lease as JSON.
local function lease_text(prefix, id)
  local lease = redis.call('HMGET', prefix .. 'entry:' .. id, 'entry', 'lease', 'fence', 'granted', 'expires', 'owner')
  return '{' .. lease[1] .. ',"leaseId":"' .. lease[2] .. '","fencingToken":' .. lease[3] .. ',"grantedAt":'
    .. lease[4] .. ',"expiresAt":' .. lease[5] .. ',"owner":"' .. lease[6] .. '"}'
end

-- Leaves a notice in a process's inbox and wakes it up. It stays there until that process says it has got it.
local function notify(prefix, owner, text)
  local number = redis.call('INCR', prefix .. 'notices')
  redis.call('RPUSH', prefix .. 'inbox:' .. owner, number .. ' ' .. text)
  redis.call('PUBLISH', prefix .. 'inbox:' .. owner, number)
end

-- What is in a process's inbox, oldest first, but for what it has got: '<number> <JSON>' each.
local function news_for(prefix, owner, got, limit)
  local inbox = prefix .. 'inbox:' .. owner
  local notices = redis.call('LRANGE', inbox, 0, limit - 1)
  local old = 0
  while notices[old + 1] and tonumber(string.match(notices[old + 1], '^%d+')) <= got do old = old + 1 end
  if old == 0 then return notices end
  redis.call('LPOP', inbox, old)
  return redis.call('LRANGE', inbox, 0, limit - 1)
end

-- Begins at the time, so that tokens grow even if Redis has lost its data.
local function next_fence(prefix, now)
  redis.call('SET', prefix .. 'fence', whole(now), 'NX')
  return redis.call('INCR', prefix .. 'fence')
end

local function open_lease(prefix, id, now, ttl)
  local entry, fence = prefix .. 'entry:' .. id, whole(next_fence(prefix, now))
  redis.call('HSET', entry, 'state', 'held', 'fence', fence, 'granted', whole(now), 'expires', whole(now + ttl))
  redis.call('ZADD', prefix .. 'leases', fence, id)
  redis.call('ZADD', prefix .. 'expiry', whole(now + ttl), id)
  redis.call('HSET', prefix .. 'lease-holders', redis.call('HGET', entry, 'lease'), id)
end

local function no_longer_waits(prefix, id)
  redis.call('ZREM', prefix .. 'waiting', id)
  local entry = redis.call('HMGET', prefix .. 'entry:' .. id, 'provider', 'priority')
  if tonumber(entry[2]) < 0 then return end
  local provider = entry[1]
  if redis.call('HINCRBY', prefix .. 'waiting-of', provider, -1) <= 0 then
    redis.call('HDEL', prefix .. 'waiting-of', provider)
  end
end

-- Nothing is granted before all who became ready by the same step are known, nor right after Redis has changed.
local function may_grant(prefix)
  return redis.call('EXISTS', prefix .. 'to-pass', prefix .. 'frozen') == 0
end

-- Gives free places to who is ready: the lowest priority number, then the earliest; who needs none comes first. No more than `chunk` of them;
-- returns whether that was not all.
local function fill_places(prefix, now, max_concurrent, ttl, chunk)
  if not may_grant(prefix) then return false end
  local placeless = redis.call('ZCOUNT', prefix .. 'ready', '-inf', '(0')
  local free = math.max(0, max_concurrent - redis.call('ZCARD', prefix .. 'leases') - placeless) + placeless
  if free <= 0 then return false end
  local members = redis.call('ZPOPMIN', prefix .. 'ready', math.min(free, chunk))
  for position = 1, #members, 2 do
    local id = string.sub(members[position], 18)
    no_longer_waits(prefix, id)
    open_lease(prefix, id, now, ttl)
    local owner = redis.call('HGET', prefix .. 'entry:' .. id, 'owner')
    notify(prefix, owner, '{"kind":"granted","lease":' .. lease_text(prefix, id) .. '}')
  end
  return free > chunk and redis.call('EXISTS', prefix .. 'ready') == 1
end

-- Takes a command out of the house, and frees what it claimed.
local function forget(prefix, id, chunk)
  local entry = redis.call('HMGET', prefix .. 'entry:' .. id, 'arrival', 'locks', 'lease')
  redis.call('DEL', prefix .. 'entry:' .. id)
  redis.call('ZREM', prefix .. 'leases', id)
  redis.call('ZREM', prefix .. 'expiry', id)
  redis.call('ZREM', prefix .. 'quarantine', id)
  redis.call('HDEL', prefix .. 'lease-holders', entry[3])
  leave_locks(prefix, id, tonumber(entry[1]), cmsgpack.unpack(entry[2]), chunk, ready_maker(prefix))
end

-- Takes a waiting command out of the queue.
local function leave_queue(prefix, id, chunk)
  redis.call('HDEL', prefix .. 'blocked', id)
  local arrival = tonumber(redis.call('HGET', prefix .. 'entry:' .. id, 'arrival'))
  redis.call('ZREM', prefix .. 'ready', ready_member(arrival, id))
  no_longer_waits(prefix, id)
  forget(prefix, id, chunk)
end

-- Fills the places after something was freed. 'more' when one step could not do all: somebody has to call `tick`.
local function fill_after(prefix, max_concurrent, ttl, chunk)
  local unfilled = fill_places(prefix, now_ms(), max_concurrent, ttl, chunk)
  return (unfilled or redis.call('EXISTS', prefix .. 'to-pass') == 1) and 'more' or 'all'
end
