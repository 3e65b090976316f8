-- The queue before the places, the leases of those who have one, and who is told what.
--
-- Needs scoreboard.lua. All times are epoch milliseconds by the clock of Redis.
--
--   entry:<id>          of each command in the house: its blocked entries, two bytes, then the fields below, packed
--   waiting             those without a lease, by arrival
--   placeless           those of them whose locks are free and that need no place, by arrival
--   ready:<provider>    those of it whose locks are free, by priority, then arrival
--   turns, turn-of      the providers that have such, by who gets the next place
--   leases              by expiry; a lost one has none: inf
--   holders             lease → command
--   queue               hash: arrivals, fence; share:<provider>: waiting, held, turn; told:<process>: its last notice

local CLAIMS, LOCKS, ARRIVAL, PROVIDER, PRIORITY, PLACELESS = 1, 2, 3, 4, 5, 6
local SINCE, OWNER, LEASE, STATE, FENCE, GRANTED, EXPIRES = 7, 8, 9, 10, 11, 12, 13
local MAX_BLOCKERS = 20

local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function whole(number)
  return string.format('%.0f', number)
end

local function in_order(number)
  return string.format('%016.0f', number)
end

local function entry_of(prefix, id)
  local text = redis.call('GET', prefix .. 'entry:' .. id)
  return text and cmsgpack.unpack(string.sub(text, 3))
end

local function keep_entry(prefix, id, entry, blocked)
  local count = string.char(math.floor(blocked / 256), blocked % 256)
  redis.call('SET', prefix .. 'entry:' .. id, count .. cmsgpack.pack(entry))
end

-- The lease as JSON.
local function lease_text(id, entry)
  return '{"commandId":"cmd_' .. id .. '","provider":"' .. entry[PROVIDER] .. '","claims":' .. entry[CLAIMS]
    .. ',"leaseId":"' .. entry[LEASE] .. '","fencingToken":' .. whole(entry[FENCE]) .. ',"grantedAt":'
    .. whole(entry[GRANTED]) .. ',"expiresAt":' .. whole(entry[EXPIRES]) .. '}'
end

-- Leaves a notice in a process's inbox, and says it too. It stays there until that process says it has got it. Numbers of one
-- process follow each other; they begin at the time, so that they grow even if Redis has lost its data.
local function notify(prefix, owner, text)
  local number = redis.call('HINCRBY', prefix .. 'queue', 'told:' .. owner, 1)
  if number == 1 then
    number = now_ms()
    redis.call('HSET', prefix .. 'queue', 'told:' .. owner, whole(number))
  end
  local notice = whole(number) .. ' ' .. text
  redis.call('RPUSH', prefix .. 'inbox:' .. owner, notice)
  redis.call('PUBLISH', prefix .. 'inbox:' .. owner, notice)
end

local function number_of(notice)
  return notice and tonumber(string.match(notice, '^%d+'))
end

-- What is in a process's inbox, oldest first, but for what it has got: '<number> <JSON>' each.
local function news_for(prefix, owner, got, limit)
  local inbox = prefix .. 'inbox:' .. owner
  local first = number_of(redis.call('LINDEX', inbox, 0))
  if first and first < got and number_of(redis.call('LINDEX', inbox, got - first)) == got then
    redis.call('LPOP', inbox, got - first)
  end
  while (number_of(redis.call('LINDEX', inbox, 0)) or math.huge) <= got do redis.call('LPOP', inbox) end
  return redis.call('LRANGE', inbox, 0, limit - 1)
end

-- What a provider has, and the number of the newest grant when it came, or of its own newest since.
local function share_from(text, newest)
  if not text then return { waiting = 0, held = 0, turn = newest } end
  local waiting, held, turn = string.match(text, '^(%d+) (%d+) (%d+)$')
  return { waiting = tonumber(waiting), held = tonumber(held), turn = tonumber(turn) }
end

local function share_of(prefix, provider)
  return share_from(redis.call('HGET', prefix .. 'queue', 'share:' .. provider), 0)
end

local function share_text(share)
  return share.waiting .. ' ' .. share.held .. ' ' .. whole(share.turn)
end

-- Those of a provider that has nothing any more are forgotten.
local function keep_share(prefix, provider, share)
  if share.waiting + share.held > 0 then
    redis.call('HSET', prefix .. 'queue', 'share:' .. provider, share_text(share))
  else
    redis.call('HDEL', prefix .. 'queue', 'share:' .. provider)
  end
end

-- To be called when a provider's share or the first of its ready ones may have changed. The next place is for the
-- lowest priority number, then for who holds the fewest, then for the longest ago, then for the earliest.
local function take_turn(prefix, provider)
  local first = redis.call('ZRANGE', prefix .. 'ready:' .. provider, 0, 0, 'WITHSCORES')
  local before = redis.call('HGET', prefix .. 'turn-of', provider)
  if before then redis.call('ZREM', prefix .. 'turns', before) end
  if first[1] then
    local share = share_of(prefix, provider)
    local turn = in_order(share.turn) .. ' ' .. string.sub(first[1], 1, 16) .. ' ' .. provider
    redis.call('ZADD', prefix .. 'turns', tonumber(first[2]) * 65536 + share.held, turn)
    redis.call('HSET', prefix .. 'turn-of', provider, turn)
  elseif before then
    redis.call('HDEL', prefix .. 'turn-of', provider)
  end
end

-- For those whose last lock became free.
local function line_up(prefix, freed)
  local touched = {}
  for _, id in ipairs(freed) do
    local entry = entry_of(prefix, id)
    if entry[PLACELESS] then
      redis.call('ZADD', prefix .. 'placeless', entry[ARRIVAL], id)
    else
      local member = in_order(entry[ARRIVAL]) .. ' ' .. id
      redis.call('ZADD', prefix .. 'ready:' .. entry[PROVIDER], entry[PRIORITY], member)
      touched[entry[PROVIDER]] = true
    end
  end
  for provider in pairs(touched) do take_turn(prefix, provider) end
end

-- Fencing tokens begin at the time, so that they grow even if Redis has lost its data.
local function open_lease(prefix, id, entry, share, fence, now, ttl)
  entry[STATE], entry[FENCE], entry[GRANTED], entry[EXPIRES] = 'held', fence, now, now + ttl
  share.held, share.turn = share.held + 1, fence
  keep_entry(prefix, id, entry, 0)
  redis.call('ZADD', prefix .. 'leases', whole(now + ttl), id)
  redis.call('HSET', prefix .. 'holders', entry[LEASE], id)
end

local function grant(prefix, id, now, ttl)
  local entry = entry_of(prefix, id)
  local queue = redis.call('HMGET', prefix .. 'queue', 'fence', 'share:' .. entry[PROVIDER])
  local fence = (tonumber(queue[1]) or now) + 1
  local share = share_from(queue[2], fence)
  if not entry[PLACELESS] then share.waiting = share.waiting - 1 end
  open_lease(prefix, id, entry, share, fence, now, ttl)
  redis.call('HSET', prefix .. 'queue', 'fence', whole(fence), 'share:' .. entry[PROVIDER], share_text(share))
  redis.call('ZREM', prefix .. 'waiting', id)
  notify(prefix, entry[OWNER], '{"kind":"granted","lease":' .. lease_text(id, entry) .. '}')
end

-- Nothing is granted before all who became ready by the same step are known, nor right after Redis has changed.
local function may_grant(prefix)
  return redis.call('EXISTS', prefix .. 'to-pass', prefix .. 'frozen') == 0
end

-- Gives the free places to those who are ready, and first a lease to who needs none. No more than `chunk` of them;
-- returns whether that was not all.
local function fill_places(prefix, now, max_concurrent, ttl, chunk)
  if not may_grant(prefix) then return false end
  local placeless = redis.call('ZPOPMIN', prefix .. 'placeless', chunk)
  for position = 1, #placeless, 2 do grant(prefix, placeless[position], now, ttl) end
  local left = chunk - #placeless / 2
  local free = max_concurrent - redis.call('ZCARD', prefix .. 'leases')
  while free > 0 and left > 0 do
    local turn = redis.call('ZPOPMIN', prefix .. 'turns')[1]
    if not turn then return false end
    local provider = string.sub(turn, 35)
    local first = redis.call('ZPOPMIN', prefix .. 'ready:' .. provider)[1]
    grant(prefix, string.sub(first, 18), now, ttl)
    take_turn(prefix, provider)
    free, left = free - 1, left - 1
  end
  return left <= 0 and (redis.call('EXISTS', prefix .. 'placeless') == 1 or (free > 0 and redis.call('EXISTS', prefix .. 'turns') == 1))
end

-- Grants what became possible when a command of this provider left. 'more' when one step could not do all: somebody has to call
-- `tick`.
local function go_on(prefix, provider, freed, max_concurrent, ttl, chunk)
  local others = redis.call('EXISTS', prefix .. 'turns', prefix .. 'placeless', prefix .. 'to-pass', prefix .. 'frozen')
  if others == 0 and #freed == 0 then return 'all' end
  -- Nobody to be compared with.
  if others == 0 and #freed == 1 and redis.call('ZCARD', prefix .. 'leases') < max_concurrent then
    grant(prefix, freed[1], now_ms(), ttl)
    return 'all'
  end
  line_up(prefix, freed)
  take_turn(prefix, provider)
  local unfilled = fill_places(prefix, now_ms(), max_concurrent, ttl, chunk)
  return (unfilled or redis.call('EXISTS', prefix .. 'to-pass') == 1) and 'more' or 'all'
end

-- Takes a command that has a lease out of the house; returns who may run because of it.
local function end_lease(prefix, id, entry, chunk)
  local freed = {}
  redis.call('DEL', prefix .. 'entry:' .. id)
  redis.call('ZREM', prefix .. 'leases', id)
  redis.call('HDEL', prefix .. 'holders', entry[LEASE])
  if entry[STATE] == 'lost' then redis.call('ZREM', prefix .. 'quarantine', id) end
  local share = share_of(prefix, entry[PROVIDER])
  share.held = share.held - 1
  keep_share(prefix, entry[PROVIDER], share)
  leave_locks(prefix, id, entry[ARRIVAL], entry[LOCKS], chunk, freed)
  return freed
end

-- Takes a waiting command out of the house; returns who may run because of it.
local function leave_queue(prefix, id, entry, chunk)
  local freed = {}
  redis.call('DEL', prefix .. 'entry:' .. id)
  redis.call('ZREM', prefix .. 'waiting', id)
  redis.call('ZREM', prefix .. 'placeless', id)
  if not entry[PLACELESS] then
    redis.call('ZREM', prefix .. 'ready:' .. entry[PROVIDER], in_order(entry[ARRIVAL]) .. ' ' .. id)
    local share = share_of(prefix, entry[PROVIDER])
    share.waiting = share.waiting - 1
    keep_share(prefix, entry[PROVIDER], share)
    take_turn(prefix, entry[PROVIDER])
  end
  leave_locks(prefix, id, entry[ARRIVAL], entry[LOCKS], chunk, freed)
  return freed
end
