-- The queue before the places, the leases of those who have one, and who is told what.
--
-- Needs scoreboard.lua. All times are epoch milliseconds by the clock of Redis.
--
--   entry:<id>          of each command in the house: its blocked entries, two bytes, then the fields below, packed
--   waiting             those without a lease, by arrival
--   placeless           those of them whose locks are free and that need no place, by arrival
--   ready:<provider>    those of it whose locks are free, by priority, then arrival
--   turns               the providers that have such, by who gets the next place
--   leases              by expiry; a lost one has none: inf
--   queue               hash: arrivals, fence; share:<provider>: waiting, held, turn; turn:<provider>: its member of
--                       turns; told:<process>: its last notice

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

local function packed(entry, blocked)
  return string.char(math.floor(blocked / 256), blocked % 256) .. cmsgpack.pack(entry)
end

local function keep_entry(prefix, id, entry)
  redis.call('SET', prefix .. 'entry:' .. id, packed(entry, 0))
end

-- Fields of the hash `queue`, read once and written once: every script ends with keep_queue.
local known, changed = {}, {}

-- Those that are not known yet: what this script has changed is not in Redis before its end.
local function read_queue(prefix, fields)
  local unknown = {}
  for _, field in ipairs(fields) do
    if known[field] == nil then unknown[#unknown + 1] = field end
  end
  if #unknown == 0 then return end
  local values = redis.call('HMGET', prefix .. 'queue', unpack(unknown))
  for position, field in ipairs(unknown) do known[field] = values[position] end
end

local function queue_field(prefix, field)
  if known[field] == nil then read_queue(prefix, { field }) end
  return known[field]
end

-- False: there is no such field any more.
local function set_queue_field(field, value)
  known[field] = value
  changed[field] = true
end

local function keep_queue(prefix)
  local set, gone = {}, {}
  for field in pairs(changed) do
    if known[field] then
      set[#set + 1] = field
      set[#set + 1] = known[field]
    else
      gone[#gone + 1] = field
    end
  end
  if #set > 0 then redis.call('HSET', prefix .. 'queue', unpack(set)) end
  if #gone > 0 then redis.call('HDEL', prefix .. 'queue', unpack(gone)) end
end

-- The lease as JSON.
local function lease_text(id, entry)
  return '{"commandId":"cmd_' .. id .. '","provider":"' .. entry[PROVIDER] .. '","claims":' .. entry[CLAIMS]
    .. ',"leaseId":"' .. entry[LEASE] .. '","fencingToken":' .. whole(entry[FENCE]) .. ',"grantedAt":'
    .. whole(entry[GRANTED]) .. ',"expiresAt":' .. whole(entry[EXPIRES]) .. '}'
end

-- Leaves a notice in a process's inbox, and says it too. It stays there until that process says it has got it.
-- Numbers of one process follow each other; they begin at the time, so that they grow even if Redis has lost its data.
local function notify(prefix, owner, text)
  local told = queue_field(prefix, 'told:' .. owner)
  local number = whole(told and tonumber(told) + 1 or now_ms())
  set_queue_field('told:' .. owner, number)
  local notice = number .. ' ' .. text
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

-- What a provider has: commands that wait, but for placeless ones, leases, and as its turn the number of the newest
-- grant when it came, or of its own newest since.
local function share_of(prefix, provider, newest)
  local text = queue_field(prefix, 'share:' .. provider)
  if not text then return { waiting = 0, held = 0, turn = newest or 0 } end
  local waiting, held, turn = string.match(text, '^(%d+) (%d+) (%d+)$')
  return { waiting = tonumber(waiting), held = tonumber(held), turn = tonumber(turn) }
end

-- Those of a provider that has nothing any more are forgotten.
local function keep_share(provider, share)
  local text = share.waiting + share.held > 0 and share.waiting .. ' ' .. share.held .. ' ' .. whole(share.turn)
  set_queue_field('share:' .. provider, text)
end

-- To be called when a provider's share or the first of its ready ones may have changed. The next place is for the
-- lowest priority number, then for who holds the fewest, then for the longest ago, then for the earliest.
local function take_turn(prefix, provider)
  local first = redis.call('ZRANGE', prefix .. 'ready:' .. provider, 0, 0, 'WITHSCORES')
  local before, turn = queue_field(prefix, 'turn:' .. provider), false
  if first[1] then
    local share = share_of(prefix, provider)
    turn = in_order(share.turn) .. ' ' .. string.sub(first[1], 1, 16) .. ' ' .. provider
    redis.call('ZADD', prefix .. 'turns', tonumber(first[2]) * 65536 + share.held, turn)
  end
  if turn == before then return end
  if before then redis.call('ZREM', prefix .. 'turns', before) end
  set_queue_field('turn:' .. provider, turn)
end

-- For a command whose last lock became free.
local function line_up(prefix, id, entry)
  if entry[PLACELESS] then
    redis.call('ZADD', prefix .. 'placeless', entry[ARRIVAL], id)
    return
  end
  local ready, member = prefix .. 'ready:' .. entry[PROVIDER], in_order(entry[ARRIVAL]) .. ' ' .. id
  redis.call('ZADD', ready, entry[PRIORITY], member)
  if redis.call('ZRANK', ready, member) == 0 then take_turn(prefix, entry[PROVIDER]) end
end

local function line_up_all(prefix, ids)
  for _, id in ipairs(ids) do line_up(prefix, id, entry_of(prefix, id)) end
end

-- The last fencing token; they begin at the time, so that they grow even if Redis has lost its data.
local function newest_fence(prefix, now)
  return tonumber(queue_field(prefix, 'fence') or now)
end

local function open_lease(prefix, id, entry, now, ttl)
  local fence = newest_fence(prefix, now) + 1
  entry[STATE], entry[FENCE], entry[GRANTED], entry[EXPIRES] = 'held', fence, now, now + ttl
  local share = share_of(prefix, entry[PROVIDER])
  share.held, share.turn = share.held + 1, fence
  keep_share(entry[PROVIDER], share)
  set_queue_field('fence', whole(fence))
  redis.call('ZADD', prefix .. 'leases', whole(now + ttl), id)
end

local function no_longer_waits(prefix, id, entry)
  redis.call('ZREM', prefix .. 'waiting', id)
  if entry[PLACELESS] then return end
  local share = share_of(prefix, entry[PROVIDER])
  share.waiting = share.waiting - 1
  keep_share(entry[PROVIDER], share)
end

-- To a waiting command; returns its provider.
local function grant(prefix, id, now, ttl)
  local entry = entry_of(prefix, id)
  open_lease(prefix, id, entry, now, ttl)
  no_longer_waits(prefix, id, entry)
  keep_entry(prefix, id, entry)
  notify(prefix, entry[OWNER], '{"kind":"granted","lease":' .. lease_text(id, entry) .. '}')
  return entry[PROVIDER]
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
  for position = 1, #placeless, 2 do take_turn(prefix, grant(prefix, placeless[position], now, ttl)) end
  local left = chunk - #placeless / 2
  local free = max_concurrent - redis.call('ZCARD', prefix .. 'leases')
  while free > 0 and left > 0 do
    local turn = redis.call('ZPOPMIN', prefix .. 'turns')[1]
    if not turn then return false end
    set_queue_field('turn:' .. string.sub(turn, 35), false)
    local first = redis.call('ZPOPMIN', prefix .. 'ready:' .. string.sub(turn, 35))[1]
    take_turn(prefix, grant(prefix, string.sub(first, 18), now, ttl))
    free, left = free - 1, left - 1
  end
  if left > 0 then return false end
  return redis.call('EXISTS', prefix .. 'placeless', free > 0 and prefix .. 'turns' or prefix .. 'placeless') > 0
end

-- How many of these there are: somebody lines up, or nothing may be granted now.
local function count_waits(prefix)
  return redis.call('EXISTS', prefix .. 'turns', prefix .. 'placeless', prefix .. 'to-pass', prefix .. 'frozen')
end

-- Grants what became possible when a command of this provider left. 'more' when one step could not do all: somebody
-- has to call `tick`.
local function go_on(prefix, provider, freed, max_concurrent, ttl, chunk)
  if count_waits(prefix) == 0 then
    if #freed == 0 then return 'all' end
    -- Nobody to be compared with.
    if #freed == 1 and redis.call('ZCARD', prefix .. 'leases') < max_concurrent then
      grant(prefix, freed[1], now_ms(), ttl)
      return 'all'
    end
  end
  line_up_all(prefix, freed)
  take_turn(prefix, provider)
  local unfilled = fill_places(prefix, now_ms(), max_concurrent, ttl, chunk)
  return (unfilled or redis.call('EXISTS', prefix .. 'to-pass') == 1) and 'more' or 'all'
end

-- Takes a command that has a lease out of the house; returns who may run because of it.
local function end_lease(prefix, id, entry, chunk)
  local freed = {}
  redis.call('DEL', prefix .. 'entry:' .. id)
  redis.call('ZREM', prefix .. 'leases', id)
  if entry[STATE] == 'lost' then redis.call('ZREM', prefix .. 'quarantine', id) end
  read_queue(prefix, { 'fence', 'share:' .. entry[PROVIDER], 'turn:' .. entry[PROVIDER], 'told:' .. entry[OWNER] })
  local share = share_of(prefix, entry[PROVIDER])
  share.held = share.held - 1
  keep_share(entry[PROVIDER], share)
  leave_locks(prefix, id, entry[ARRIVAL], entry[LOCKS], chunk, freed)
  return freed
end

-- Takes a waiting command out of the house; returns who may run because of it.
local function leave_queue(prefix, id, entry, chunk)
  local freed = {}
  redis.call('DEL', prefix .. 'entry:' .. id)
  redis.call('ZREM', prefix .. 'placeless', id)
  no_longer_waits(prefix, id, entry)
  if not entry[PLACELESS] then
    redis.call('ZREM', prefix .. 'ready:' .. entry[PROVIDER], in_order(entry[ARRIVAL]) .. ' ' .. id)
    take_turn(prefix, entry[PROVIDER])
  end
  leave_locks(prefix, id, entry[ARRIVAL], entry[LOCKS], chunk, freed)
  return freed
end

-- The command under a lease and its entry. A process that knows only the lease, not whose, lets it be looked for.
local function holder_of(prefix, lease, id)
  local ids = id ~= '' and { id } or redis.call('ZRANGE', prefix .. 'leases', 0, -1)
  for _, one in ipairs(ids) do
    local entry = entry_of(prefix, one)
    if entry and entry[LEASE] == lease and entry[STATE] ~= 'waiting' then return one, entry end
  end
end
