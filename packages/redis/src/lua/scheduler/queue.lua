-- The queue for slots, and the leases.
--
-- Needs scoreboard.lua, entries.lua and jobs.lua.
--
--   waiting             commands without a lease, by arrival
--   placeless           waiting commands whose locks are free and that need no slot, by arrival
--   ready:<provider>    its waiting commands whose locks are free, by priority, then arrival
--   turns               the providers with ready commands, by who gets the next slot
--   leases              by expiry; a lost lease has inf
--   quarantine          lost leases of dead processes, by when another process inherits them
--   reaped:<command>    fencing token of its lost lease if nothing is left of the command; expires

local MAX_BLOCKERS = 20

-- A provider's member of `turns`: '<turn> <arrival and priority of its first ready command> <provider>'.
local function turn_text(provider, share, first, priority)
  return in_order(share.turn) .. ' ' .. string.sub(first, 1, 16) .. ' ' .. priority .. ' ' .. provider
end

local function provider_of(turn)
  return string.match(turn, '%S+$')
end

-- Call when a provider's share or its first ready command may have changed. The next slot goes to the lowest priority
-- number, then to the provider with the fewest leases, then to the one whose turn is longest ago, then to the earliest.
local function take_turn(prefix, provider)
  local first = redis.call('ZRANGE', prefix .. 'ready:' .. provider, '0', '0', 'WITHSCORES')
  local before, turn = queue_field(prefix, 'turn:' .. provider), false
  if first[1] then
    local share = share_of(prefix, provider)
    turn = turn_text(provider, share, first[1], first[2])
    redis.call('ZADD', prefix .. 'turns', whole(first[2] * 65536 + share.held), turn)
  end
  if turn == before then return end
  if before then redis.call('ZREM', prefix .. 'turns', before) end
  set_queue_field('turn:' .. provider, turn)
end

-- Whether an entry comes after the first ready command of its provider, given the provider's turn.
local function is_behind_first(entry, turn)
  local arrival, priority = string.match(turn, '^%d+ (%d+) (%S+)')
  local by_priority = tonumber(entry.priority) - tonumber(priority)
  return by_priority > 0 or (by_priority == 0 and entry.arrival > tonumber(arrival))
end

-- For a command whose last lock became free.
local function line_up(prefix, id, entry)
  if entry.placeless then
    redis.call('ZADD', prefix .. 'placeless', whole(entry.arrival), id)
    return
  end
  line_up_job(prefix, id, entry)
  redis.call('ZADD', prefix .. 'ready:' .. entry.provider, entry.priority, in_order(entry.arrival) .. ' ' .. id)
  local turn = queue_field(prefix, 'turn:' .. entry.provider)
  if not turn or not is_behind_first(entry, turn) then take_turn(prefix, entry.provider) end
end

local function line_up_all(prefix, ids)
  for _, id in ipairs(ids) do line_up(prefix, id, entry_of(prefix, id)) end
end

-- The last fencing token. They start at the time, so that they grow even if Redis has lost its data.
local function newest_fence(prefix, now)
  return tonumber(queue_field(prefix, 'fence') or now)
end

local function begin_lease(prefix, entry, now, ttl)
  entry.state, entry.fence, entry.granted, entry.expires = 'held', newest_fence(prefix, now) + 1, now, now + ttl
end

-- Records a lease that began.
local function count_lease(prefix, id, entry)
  local share = share_of(prefix, entry.provider)
  share.held, share.turn = share.held + 1, entry.fence
  keep_share(entry.provider, share)
  set_queue_field('fence', whole(entry.fence))
  redis.call('ZADD', prefix .. 'leases', whole(entry.expires), id)
end

local function stop_waiting(prefix, id, entry)
  redis.call('ZREM', prefix .. 'waiting', id)
  if entry.placeless then return end
  local share = share_of(prefix, entry.provider)
  share.waiting = share.waiting - 1
  keep_share(entry.provider, share)
end

-- Grants a waiting command, which may have lined up for a slot; returns its provider.
local function grant(prefix, id, now, ttl, was_lined_up)
  local entry = entry_of(prefix, id)
  begin_lease(prefix, entry, now, ttl)
  keep_entry(prefix, id, entry)
  count_lease(prefix, id, entry)
  start_job(prefix, id, entry, was_lined_up)
  stop_waiting(prefix, id, entry)
  notify(prefix, entry.owner, '{"kind":"granted",' .. grant_text(id, entry) .. '}')
  return entry.provider
end

-- Nothing is granted before all commands readied by the same step are known, nor right after Redis has changed.
local function may_grant(prefix)
  return redis.call('EXISTS', prefix .. 'to-pass', prefix .. 'frozen') == 0
end

-- 0: nothing lines up. 1: only commands that need a slot. More: a placeless one lines up, or nothing may be granted now
-- (these keys are counted twice).
local function count_waits(prefix)
  local placeless, to_pass, frozen = prefix .. 'placeless', prefix .. 'to-pass', prefix .. 'frozen'
  return redis.call('EXISTS', prefix .. 'turns', placeless, placeless, to_pass, to_pass, frozen, frozen)
end

-- Grants placeless commands, then gives the free slots to ready ones, at most `chunk` in total; returns whether some
-- are left. `waits`: see count_waits.
local function fill_slots(prefix, now, waits, max_concurrent, ttl, chunk)
  local left = chunk
  if waits > 1 then
    if not may_grant(prefix) then return false end
    local placeless = redis.call('ZPOPMIN', prefix .. 'placeless', chunk)
    for position = 1, #placeless, 2 do take_turn(prefix, grant(prefix, placeless[position], now, ttl, false)) end
    left = chunk - #placeless / 2
  end
  local free = max_concurrent - redis.call('ZCARD', prefix .. 'leases')
  while free > 0 and left > 0 do
    local turn = redis.call('ZPOPMIN', prefix .. 'turns')[1]
    if not turn then return false end
    local provider = provider_of(turn)
    set_queue_field('turn:' .. provider, false)
    local first = redis.call('ZPOPMIN', prefix .. 'ready:' .. provider)[1]
    take_turn(prefix, grant(prefix, string.sub(first, 18), now, ttl, true))
    free, left = free - 1, left - 1
  end
  if left > 0 then return false end
  return redis.call('EXISTS', prefix .. 'placeless', free > 0 and prefix .. 'turns' or prefix .. 'placeless') > 0
end

-- Grants what became possible when a command left. 'more' if one step was not enough: the caller must call `tick`.
local function grant_next(prefix, freed, max_concurrent, ttl, chunk)
  local waits = count_waits(prefix)
  if waits == 0 then
    if #freed == 0 then return 'all' end
    -- No other command to compare with.
    if #freed == 1 and redis.call('ZCARD', prefix .. 'leases') < max_concurrent then
      grant(prefix, freed[1], now_ms(), ttl, false)
      return 'all'
    end
  end
  if #freed > 0 then
    line_up_all(prefix, freed)
    waits = count_waits(prefix)
  end
  local unfilled = fill_slots(prefix, now_ms(), waits, max_concurrent, ttl, chunk)
  return (unfilled or (waits > 1 and redis.call('EXISTS', prefix .. 'to-pass') == 1)) and 'more' or 'all'
end

-- Removes a command that has a lease; returns the commands that may run as a result.
local function end_lease(prefix, id, entry, chunk)
  local freed = {}
  redis.call('HDEL', prefix .. 'entries', id)
  redis.call('ZREM', prefix .. 'leases', id)
  if entry.state == 'lost' then
    redis.call('ZREM', prefix .. 'quarantine', id)
    redis.call('DEL', prefix .. 'reaped:' .. id)
  end
  local provider = entry.provider
  read_queue(prefix, { 'fence', 'share:' .. provider, 'turn:' .. provider, 'told:' .. entry.owner })
  local share, turn = share_of(prefix, provider), queue_field(prefix, 'turn:' .. provider)
  share.held = share.held - 1
  keep_share(provider, share)
  if turn then redis.call('ZADD', prefix .. 'turns', 'INCR', '-1', turn) end
  leave_locks(prefix, id, entry.arrival, entry.locks, chunk, freed)
  return freed
end

-- For a command that has lined up.
local function leave_line(prefix, id, entry)
  if entry.placeless then
    redis.call('ZREM', prefix .. 'placeless', id)
    return
  end
  remove_job(prefix, id)
  redis.call('ZREM', prefix .. 'ready:' .. entry.provider, in_order(entry.arrival) .. ' ' .. id)
  take_turn(prefix, entry.provider)
end

-- Removes a waiting command; returns the commands that may run as a result.
local function leave_queue(prefix, id, entry, chunk)
  redis.call('HDEL', prefix .. 'entries', id)
  stop_waiting(prefix, id, entry)
  local was_blocked = redis.call('HDEL', prefix .. 'blocked', id) == 1
  if not was_blocked then leave_line(prefix, id, entry) end
  local freed = {}
  leave_locks(prefix, id, entry.arrival, entry.locks, chunk, freed)
  return freed
end

-- The command under a lease and its entry. If the id is empty, all leases are searched.
local function holder_of(prefix, lease, id)
  local ids = id ~= '' and { id } or redis.call('ZRANGE', prefix .. 'leases', 0, -1)
  for _, one in ipairs(ids) do
    local entry = entry_of(prefix, one)
    if entry and entry.lease == lease and entry.state ~= 'wait' then return one, entry end
  end
end

-- Notifies a process that its lease is lost, or that it has inherited one.
local function notify_lost(prefix, kind, id, entry)
  notify(prefix, entry.owner, '{"kind":"' .. kind .. '","lease":' .. lease_text(id, entry) .. '}')
end

-- Makes that process responsible for a lost lease.
local function pass_lease_on(prefix, id, owner)
  redis.call('ZREM', prefix .. 'quarantine', id)
  local entry = entry_of(prefix, id)
  entry.owner = owner
  entry.text = nil
  keep_entry(prefix, id, entry)
  notify_lost(prefix, 'inherited', id, entry)
end

-- The lost lease of a dead process is passed on after one more time to live, so that anything still running there has
-- reached its own deadline, or at once if it was seen that nothing of it is left (reaped.lua).
local function quarantine(prefix, id, entry, now, ttl)
  local is_reaped = redis.call('GET', prefix .. 'reaped:' .. id) == whole(entry.fence)
  redis.call('ZADD', prefix .. 'quarantine', whole(is_reaped and now or now + ttl), id)
end
