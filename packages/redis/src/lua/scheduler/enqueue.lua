-- enqueue: takes all claims and a slot, or a position in the queue.
--
-- Libraries   scoreboard.lua, entries.lua, jobs.lua, queue.lua, format.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1..5]  id without 'cmd_', claims as JSON, provider, priority, 'placeless' (needs no slot) or empty
-- ARGV[6..7]  id for the lease, process that asks and is notified
-- ARGV[8..10] most leases at once, most waiting of one provider, time to live of a lease in milliseconds
-- ARGV[11]    most grants to others in this step
-- ARGV[12..]  locks
--
-- Replies     {'granted', fencing token, granted at, expires at} | {'waiting', ids of blockers …}
--             | {'refused', waiting of that provider}
--             | {'present'}: it is already in the queue or holds a lease

local prefix, id, provider, owner = KEYS[1], ARGV[1], ARGV[3], ARGV[7]
local max_concurrent, ttl, placeless = tonumber(ARGV[8]), tonumber(ARGV[10]), ARGV[5] ~= ''
local now = now_ms()

local locks = {}
for position = 12, #ARGV do locks[position - 11] = ARGV[position] end

read_queue(prefix, { 'format', 'arrivals', 'fence', 'share:' .. provider, 'turn:' .. provider })
check_format(known.format)
if not known.format then
  -- All data was lost while processes live: freeze as after a change of the server, see arrive.lua.
  set_queue_field('format', FORMAT)
  redis.call('SET', prefix .. 'frozen', 1, 'PX', ttl)
end

-- Commands that are ready are granted before a newcomer.
local has_slot = placeless or redis.call('ZCARD', prefix .. 'leases') < max_concurrent
local waits = has_slot and count_waits(prefix) or 0
if waits > 0 then
  local unfilled = fill_slots(prefix, now, waits, max_concurrent, ttl, tonumber(ARGV[11]))
  has_slot = may_grant(prefix) and not unfilled
    and (placeless or redis.call('ZCARD', prefix .. 'leases') < max_concurrent)
end
local blocking = contended(prefix, locks)
local may_run = has_slot and #blocking == 0

local arrival = tonumber(known.arrivals or 0) + 1
local share = share_of(prefix, provider, newest_fence(prefix, now))
if not may_run and not placeless and share.waiting >= tonumber(ARGV[9]) then
  keep_queue(prefix)
  return { 'refused', share.waiting }
end

local entry = {
  state = 'wait', arrival = arrival, since = now, fence = 0, granted = 0, expires = 0,
  claims = ARGV[2], locks = locks, provider = provider, priority = ARGV[4], placeless = placeless,
  owner = owner, lease = ARGV[6],
}
if may_run then begin_lease(prefix, entry, now, ttl) end
if redis.call('HSETNX', prefix .. 'entries', id, text_of(entry)) == 0 then
  keep_queue(prefix)
  return { 'present' }
end
set_queue_field('arrivals', whole(arrival))
enter_locks(prefix, id, whole(arrival), locks)

if may_run then
  count_lease(prefix, id, entry)
  start_job(prefix, id, entry, false)
  if waits > 0 then take_turn(prefix, provider) end
  keep_queue(prefix)
  return { 'granted', entry.fence, entry.granted, entry.expires }
end

redis.call('ZADD', prefix .. 'waiting', whole(arrival), id)
set_queue_field('fence', whole(newest_fence(prefix, now)))
if not placeless then
  share.waiting = share.waiting + 1
  keep_share(provider, share)
end
if #blocking == 0 then
  line_up(prefix, id, entry)
else
  redis.call('HSET', prefix .. 'blocked', id, whole(#blocking))
end
keep_queue(prefix)
return { 'waiting', unpack(blockers_of(prefix, arrival, blocking, MAX_BLOCKERS)) }
