-- snapshot: who waits and who holds.
--
-- Libraries   scoreboard.lua, queue.lua
-- KEYS[1]     prefix of the workspace
--
-- Replies     {leases as JSON, in the order they were granted}, {waiting, in arrival order}
--             waiting: {entry as JSON, since, {ids of blockers}}

local prefix, leases, waiting = KEYS[1], {}, {}
for position, id in ipairs(redis.call('ZRANGE', prefix .. 'leases', 0, -1)) do
  leases[position] = lease_text(prefix, id)
end
for position, id in ipairs(redis.call('ZRANGE', prefix .. 'waiting', 0, -1)) do
  local entry = redis.call('HMGET', prefix .. 'entry:' .. id, 'entry', 'since', 'arrival', 'locks')
  local blockers = blockers_of(prefix, tonumber(entry[3]), cmsgpack.unpack(entry[4]), MAX_BLOCKERS)
  waiting[position] = { '{' .. entry[1] .. '}', entry[2], blockers }
end
return { leases, waiting }
