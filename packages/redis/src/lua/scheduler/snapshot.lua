-- snapshot: the leases and the waiting commands.
--
-- Libraries   scoreboard.lua, entries.lua, jobs.lua, queue.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1]     how many waiting commands at most; 0: all
--
-- Replies     {leases as JSON, in the order they were granted}, {waiting, in arrival order}
--             waiting: {id, claims as JSON, provider, priority, 'placeless' or empty, since, {ids of blockers}}

local prefix, held, leases, waiting = KEYS[1], {}, {}, {}
for position, id in ipairs(redis.call('ZRANGE', prefix .. 'leases', 0, -1)) do
  held[position] = { id, entry_of(prefix, id) }
end
table.sort(held, function(a, b) return a[2].fence < b[2].fence end)
for position, lease in ipairs(held) do leases[position] = lease_text(lease[1], lease[2]) end

for position, id in ipairs(redis.call('ZRANGE', prefix .. 'waiting', 0, tonumber(ARGV[1]) - 1)) do
  local entry = entry_of(prefix, id)
  waiting[position] = { id, entry.claims, entry.provider, tonumber(entry.priority), entry.placeless and 'placeless' or '',
    whole(entry.since), blockers_of(prefix, entry.arrival, entry.locks, MAX_BLOCKERS) }
end
return { leases, waiting }
