-- tick: applies what is due and returns the notices to one process. Any process may call it, as often as it likes.
--
-- Libraries   scoreboard.lua, entries.lua, jobs.lua, queue.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1]     process that asks: it lives
-- ARGV[2]     number of the last notice it received
-- ARGV[3..6]  most leases at once, time to live of a lease, longest wait, most entries passed and slots filled
--
-- Replies     {now, milliseconds until the next thing is due or -1, 'more' | 'all', {notices}}
--             a notice is '<number> <JSON>', repeated until acknowledged

local MOST = 64
local NOTICES = 100
local KEEP_INBOX_MS = 3600000
local KEPT_JOBS = 1000
-- Minutes for which ended jobs are counted: two weeks.
local METRICS_MINUTES = 20160

local prefix, me, got = KEYS[1], ARGV[1], tonumber(ARGV[2])
local max_concurrent, ttl, max_wait, chunk =
  tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local now = now_ms()
local more = false

local function inbox_of(owner)
  return prefix .. 'inbox:' .. owner
end

local function drop_waiting(id, entry)
  line_up_all(prefix, leave_queue(prefix, id, entry, chunk))
  local waited = whole(now - entry.since)
  notify(prefix, entry.owner, '{"kind":"stale","commandId":"cmd_' .. id .. '","waitedMs":' .. waited .. '}')
  if not redis.call('ZSCORE', prefix .. 'owners', entry.owner) then
    redis.call('PEXPIRE', inbox_of(entry.owner), KEEP_INBOX_MS)
  end
end

-- A living process is notified and stops what it runs. If its process is dead, the lease is passed on, but only after
-- one more time to live, so that anything still running there has reached its own deadline.
local function lose(id)
  local entry = entry_of(prefix, id)
  entry.state = 'lost'
  keep_entry(prefix, id, entry)
  redis.call('ZADD', prefix .. 'leases', '+inf', id)
  if redis.call('ZSCORE', prefix .. 'owners', entry.owner) then
    notify_lost(prefix, 'lost', id, entry)
  else
    quarantine(prefix, id, entry, now, ttl)
  end
end

-- The waiting commands of a dead process leave the queue, since nothing could run them. If it lives after all, it
-- learns so from its inbox. Its living leases expire by themselves; it can no longer release the lost ones.
local function remove_owner(owner)
  redis.call('ZREM', prefix .. 'owners', owner)
  redis.call('DEL', inbox_of(owner))
  for _, id in ipairs(redis.call('ZRANGE', prefix .. 'waiting', 0, -1)) do
    local entry = entry_of(prefix, id)
    if entry.owner == owner then drop_waiting(id, entry) end
  end
  set_queue_field('told:' .. owner, false)
  for _, id in ipairs(redis.call('ZRANGE', prefix .. 'leases', 0, -1)) do
    local entry = entry_of(prefix, id)
    if entry.owner == owner and entry.state == 'lost' then quarantine(prefix, id, entry, now, ttl) end
  end
end

-- Handles the members of a sorted set that are due by their scores.
local function due(name, handle)
  local ids = redis.call('ZRANGE', prefix .. name, '-inf', whole(now), 'BYSCORE', 'LIMIT', 0, MOST)
  for _, id in ipairs(ids) do handle(id) end
  more = more or #ids == MOST
end

local function drop_stale()
  for _, id in ipairs(redis.call('ZRANGE', prefix .. 'waiting', 0, MOST - 1)) do
    local entry = entry_of(prefix, id)
    if entry.since + max_wait > now then return end
    drop_waiting(id, entry)
  end
  more = more or redis.call('EXISTS', prefix .. 'waiting') == 1
end

-- Keeps the newest completed jobs and the newest failed ones. More are stored until a process calls tick.
local function drop_old_jobs(set)
  local ended = prefix .. 'commands:' .. set
  local dropped = redis.call('ZPOPMIN', ended, math.max(0, math.min(redis.call('ZCARD', ended) - KEPT_JOBS, chunk)))
  if #dropped == 0 then return end
  local keys = {}
  for position = 1, #dropped, 2 do keys[#keys + 1] = prefix .. 'commands:' .. dropped[position] end
  redis.call('DEL', unpack(keys))
  more = more or #keys == chunk
end

-- Counts the jobs that ended in each minute, newest first, as read by BullMQ's Queue.getMetrics.
local function count_jobs(set)
  local metrics = prefix .. 'commands:metrics:' .. set
  local count, since, before, seen = unpack(redis.call('HMGET', metrics, 'count', 'prevTS', 'prevCount', 'seen'))
  -- Jobs that end in this millisecond are counted next time.
  local ended = redis.call('ZCOUNT', prefix .. 'commands:' .. set, seen or '-inf', '(' .. whole(now))
  if ended == 0 and not count then return end
  count = (count or 0) + ended
  redis.call('HSET', metrics, 'count', whole(count), 'seen', whole(now))
  local minutes = math.min(math.floor(now / 60000) - math.floor((since or now) / 60000), METRICS_MINUTES)
  if since and minutes <= 0 then return end
  if since then
    redis.call('LPUSH', metrics .. ':data', whole(count - before))
    for _ = 2, minutes do redis.call('LPUSH', metrics .. ':data', '0') end
    redis.call('LTRIM', metrics .. ':data', '0', whole(METRICS_MINUTES - 1))
  end
  redis.call('HSET', metrics, 'prevTS', whole(now), 'prevCount', since and whole(count) or '0')
end

local function next_due()
  local at = math.huge
  for _, name in ipairs({ 'leases', 'quarantine', 'owners' }) do
    local first = redis.call('ZRANGE', prefix .. name, 0, 0, 'WITHSCORES')
    if first[2] then at = math.min(at, tonumber(first[2])) end
  end
  local oldest = redis.call('ZRANGE', prefix .. 'waiting', 0, 0)[1]
  if oldest then at = math.min(at, entry_of(prefix, oldest).since + max_wait) end
  local frozen_for = redis.call('PTTL', prefix .. 'frozen')
  if frozen_for >= 0 then at = math.min(at, now + frozen_for + 1) end
  return at == math.huge and -1 or math.max(0, at - now)
end

redis.call('ZADD', prefix .. 'owners', whole(now + ttl), me)
due('owners', remove_owner)
due('leases', lose)
due('quarantine', function(id) pass_lease_on(prefix, id, me) end)
drop_stale()
local freed = {}
more = continue_passing(prefix, chunk, freed) or more
line_up_all(prefix, freed)
more = fill_slots(prefix, now, count_waits(prefix), max_concurrent, ttl, chunk) or more
keep_queue(prefix)
for _, set in ipairs({ 'completed', 'failed' }) do
  count_jobs(set)
  drop_old_jobs(set)
end

local notices = notices_for(prefix, me, got, NOTICES)
more = more or #notices == NOTICES or redis.call('EXISTS', prefix .. 'to-pass') == 1
return { whole(now), whole(next_due()), more and 'more' or 'all', notices }
