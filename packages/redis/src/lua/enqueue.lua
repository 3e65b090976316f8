-- enqueue: takes all claims and a place, or a turn in the queue.
--
-- Libraries   scoreboard.lua, queue.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1..5]  id, entry as JSON without its braces, provider, priority (below 0: it needs no place), the lease's id to be
-- ARGV[6]     process that asks, and is told
-- ARGV[7..9]  most leases at once, most waiting of one provider, time to live of a lease in milliseconds
-- ARGV[10]    most grants to others in this step
-- ARGV[11..]  locks: node, bits, node, bits …
--
-- Replies     {'granted', lease as JSON} | {'waiting', ids of blockers …} | {'refused', waiting of that provider}
--             | {'present'}: it is in the house already

local prefix, id, provider, owner = KEYS[1], ARGV[1], ARGV[3], ARGV[6]
local max_concurrent, ttl = tonumber(ARGV[7]), tonumber(ARGV[9])
local entry, now = prefix .. 'entry:' .. id, now_ms()
if redis.call('EXISTS', entry) == 1 then return { 'present' } end

local locks = {}
for position = 11, #ARGV, 2 do
  locks[position - 10] = ARGV[position]
  locks[position - 9] = tonumber(ARGV[position + 1])
end

-- Nobody who is ready is left behind a newcomer.
local unfilled = fill_places(prefix, now, max_concurrent, ttl, tonumber(ARGV[10]))
local blocked = count_blocked(prefix, locks)
local placeless = tonumber(ARGV[4]) < 0
local has_place = placeless or (redis.call('ZCARD', prefix .. 'leases') < max_concurrent and not unfilled)
local may_run = blocked == 0 and has_place and may_grant(prefix)
local waiting = tonumber(redis.call('HGET', prefix .. 'waiting-of', provider) or '0')
if not may_run and not placeless and waiting >= tonumber(ARGV[8]) then return { 'refused', waiting } end

redis.call('ZADD', prefix .. 'owners', whole(now + ttl), owner)
local arrival = redis.call('INCR', prefix .. 'arrivals')
redis.call('HSET', entry, 'entry', ARGV[2], 'locks', cmsgpack.pack(locks), 'arrival', arrival, 'provider', provider,
  'priority', ARGV[4], 'since', whole(now), 'owner', owner, 'lease', ARGV[5], 'state', 'waiting')
enter_locks(prefix, id, arrival, locks)

if may_run then
  open_lease(prefix, id, now, ttl)
  return { 'granted', lease_text(prefix, id) }
end

redis.call('ZADD', prefix .. 'waiting', arrival, id)
if not placeless then redis.call('HINCRBY', prefix .. 'waiting-of', provider, 1) end
if blocked > 0 then
  redis.call('HSET', prefix .. 'blocked', id, blocked)
else
  redis.call('ZADD', prefix .. 'ready', ARGV[4], ready_member(arrival, id))
end
return { 'waiting', unpack(blockers_of(prefix, arrival, locks, MAX_BLOCKERS)) }
