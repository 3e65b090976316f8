-- enqueue: takes all claims and a place, or a turn in the queue.
--
-- Libraries   scoreboard.lua, queue.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1..5]  id without 'cmd_', claims as JSON, provider, priority, 'placeless' or empty
-- ARGV[6..7]  the lease's id to be, process that asks and is told
-- ARGV[8..10] most leases at once, most waiting of one provider, time to live of a lease in milliseconds
-- ARGV[11]    most grants to others in this step
-- ARGV[12..]  locks: node, bits, node, bits …
--
-- Replies     {'granted', lease as JSON} | {'waiting', ids of blockers …} | {'refused', waiting of that provider}
--             | {'present'}: it is in the house already

local prefix, id, provider, owner = KEYS[1], ARGV[1], ARGV[3], ARGV[7]
local max_concurrent, ttl, placeless = tonumber(ARGV[8]), tonumber(ARGV[10]), ARGV[5] ~= ''
local now = now_ms()
if redis.call('EXISTS', prefix .. 'entry:' .. id) == 1 then return { 'present' } end

local locks = {}
for position = 12, #ARGV, 2 do
  locks[position - 11] = ARGV[position]
  locks[position - 10] = tonumber(ARGV[position + 1])
end

-- Nobody who is ready is left behind a newcomer.
local others = redis.call('EXISTS', prefix .. 'turns', prefix .. 'placeless', prefix .. 'to-pass', prefix .. 'frozen')
local unfilled = others > 0 and fill_places(prefix, now, max_concurrent, ttl, tonumber(ARGV[11]))
local may_run = not unfilled and (others == 0 or may_grant(prefix))
  and (placeless or redis.call('ZCARD', prefix .. 'leases') < max_concurrent)
local blocked = count_blocked(prefix, locks)
may_run = may_run and blocked == 0

local queue = redis.call('HMGET', prefix .. 'queue', 'arrivals', 'fence', 'share:' .. provider)
local arrival, fence = (tonumber(queue[1]) or 0) + 1, tonumber(queue[2]) or now
local share = share_from(queue[3], fence)
if not may_run and not placeless and share.waiting >= tonumber(ARGV[9]) then return { 'refused', share.waiting } end

local entry = { ARGV[2], locks, arrival, provider, tonumber(ARGV[4]), placeless, now, owner, ARGV[6], 'waiting' }
enter_locks(prefix, id, arrival, locks)
redis.call('ZADD', prefix .. 'owners', whole(now + ttl), owner)

if may_run then
  open_lease(prefix, id, entry, share, fence + 1, now, ttl)
  redis.call('HSET', prefix .. 'queue', 'arrivals', arrival, 'fence', whole(fence + 1), 'share:' .. provider,
    share_text(share))
  return { 'granted', lease_text(id, entry) }
end

keep_entry(prefix, id, entry, blocked)
redis.call('ZADD', prefix .. 'waiting', arrival, id)
if not placeless then share.waiting = share.waiting + 1 end
redis.call('HSET', prefix .. 'queue', 'arrivals', arrival, 'fence', whole(fence))
if share.waiting + share.held > 0 then keep_share(prefix, provider, share) end
if blocked == 0 then line_up(prefix, { id }) end
return { 'waiting', unpack(blockers_of(prefix, arrival, locks, MAX_BLOCKERS)) }
