-- Data of each active command and of the queue as a whole, and notices to processes.
--
-- All times are epoch milliseconds by the clock of Redis.
--
--   entries             hash: for each active command HEADER, then the constant fields, packed
--   queue               hash: format, arrivals, fence; share:<provider>: waiting, held, turn; turn:<provider>: its member of
--                       turns; told:<process>: number of its last notice
--   inbox:<process>     notices to it, until it acknowledges them

-- 'wait', 'held' or 'lost', arrival, since when it waits; then for its lease, 0 before it has one: fence, granted,
-- expires.
local HEADER = '>c4I6I6I6I6I6'

local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- As text, which Redis parses faster than a number.
local function whole(number)
  return string.format('%d', number)
end

local function in_order(number)
  return string.format('%016d', number)
end

local function entry_of(prefix, id)
  local text = redis.call('HGET', prefix .. 'entries', id)
  if not text then return end
  local state, arrival, since, fence, granted, expires, rest = struct.unpack(HEADER, text)
  local _, claims, locks, provider, priority, placeless, owner, lease = cmsgpack.unpack_limit(text, 7, rest - 1)
  return {
    state = state, arrival = arrival, since = since,
    fence = fence, granted = granted, expires = expires,
    claims = claims, locks = locks, provider = provider, priority = priority,
    placeless = placeless, owner = owner, lease = lease,
    text = text, rest = rest,
  }
end

-- The part after the header; for an entry that was read, unchanged.
local function packed(entry)
  if entry.text then return string.sub(entry.text, entry.rest) end
  return cmsgpack.pack(entry.claims, entry.locks, entry.provider, entry.priority, entry.placeless, entry.owner,
    entry.lease)
end

local function text_of(entry)
  return struct.pack(HEADER, entry.state, entry.arrival, entry.since, entry.fence, entry.granted, entry.expires)
    .. packed(entry)
end

local function keep_entry(prefix, id, entry)
  redis.call('HSET', prefix .. 'entries', id, text_of(entry))
end

-- Fields of the hash `queue`, read once and written once: every script ends with keep_queue.
local known, changed = {}, {}

-- Reads only unknown fields: this script's changes are not in Redis before its end.
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

-- `false` deletes the field.
local function set_queue_field(field, value)
  known[field] = value
  changed[field] = true
end

-- A provider's share: waiting commands except placeless ones, leases, and as its turn the number of its latest grant,
-- or of the latest grant of all when its share was created.
local function share_of(prefix, provider, newest)
  local field = 'share:' .. provider
  local share = queue_field(prefix, field)
  if not share then return { waiting = 0, held = 0, turn = newest or 0 } end
  if type(share) == 'string' then
    local waiting, held, turn = string.match(share, '^(%d+) (%d+) (%d+)$')
    share = { waiting = tonumber(waiting), held = tonumber(held), turn = tonumber(turn) }
    known[field] = share
  end
  return share
end

-- The share of a provider without commands is deleted.
local function keep_share(provider, share)
  set_queue_field('share:' .. provider, share.waiting + share.held > 0 and share)
end

local function share_text(share)
  return share.waiting .. ' ' .. share.held .. ' ' .. whole(share.turn)
end

local function keep_queue(prefix)
  local set, gone = {}, {}
  for field in pairs(changed) do
    local value = known[field]
    if type(value) == 'table' then value = share_text(value) end
    if value then
      set[#set + 1] = field
      set[#set + 1] = value
    else
      gone[#gone + 1] = field
    end
  end
  if #set > 0 then redis.call('HSET', prefix .. 'queue', unpack(set)) end
  if #gone > 0 then redis.call('HDEL', prefix .. 'queue', unpack(gone)) end
end

-- The lease's fields as JSON without braces.
local function grant_text(id, entry)
  return '"commandId":"cmd_' .. id .. '","leaseId":"' .. entry.lease .. '","fencingToken":' .. whole(entry.fence)
    .. ',"grantedAt":' .. whole(entry.granted) .. ',"expiresAt":' .. whole(entry.expires)
end

-- The lease as JSON.
local function lease_text(id, entry)
  return '{"provider":"' .. entry.provider .. '","claims":' .. entry.claims .. ',' .. grant_text(id, entry) .. '}'
end

-- The process that asks, if the reply carries its notices, and these notices.
local asking, answers = false, {}

-- Puts a notice into a process's inbox until the process acknowledges it, and also publishes or replies it. A process's
-- notices have consecutive numbers. They start at the time, so that they grow even if Redis has lost its data.
local function notify(prefix, owner, text)
  local told = queue_field(prefix, 'told:' .. owner)
  local number = whole(told and tonumber(told) + 1 or now_ms())
  set_queue_field('told:' .. owner, number)
  local notice = number .. ' ' .. text
  redis.call('RPUSH', prefix .. 'inbox:' .. owner, notice)
  if owner == asking then
    answers[#answers + 1] = notice
  else
    redis.call('PUBLISH', prefix .. 'inbox:' .. owner, notice)
  end
end

local function number_of(notice)
  return notice and tonumber(string.match(notice, '^%d+'))
end

-- The unacknowledged notices to a process, oldest first: '<number> <JSON>' each.
local function notices_for(prefix, owner, got, limit)
  local inbox = prefix .. 'inbox:' .. owner
  local first = number_of(redis.call('LINDEX', inbox, 0))
  if first and first < got and number_of(redis.call('LINDEX', inbox, got - first)) == got then
    redis.call('LPOP', inbox, got - first)
  end
  while (number_of(redis.call('LINDEX', inbox, 0)) or math.huge) <= got do redis.call('LPOP', inbox) end
  return redis.call('LRANGE', inbox, 0, limit - 1)
end
