-- Tracks who holds and who waits, exactly and in arrival order (multi-granularity locking).
--
-- A lock is a mode and a node of the resource tree, '<mode>:<node>', and the modes are IS 1, IX 2, S 4, X 8. For each,
-- '<prefix>lock:<mode>:<node>' is a sorted set of the unfinished commands with that mode there, by arrival. An entry is
-- free when its node has no earlier entry of a conflicting mode; a command may run when all its entries are free. So
-- the free entries of a set are those up to a watermark, the earliest entry of the conflicting modes. When an entry
-- leaves, watermarks only rise, and each entry is passed once: the cost does not depend on the number of waiting
-- entries.
--
-- Commands are named by their ids without 'cmd_'. The hash '<prefix>blocked' holds the number of entries that are not
-- free, for each command that has any.

local MODES = { '1', '2', '4', '8' }
local CONFLICTING = { ['1'] = { '8' }, ['2'] = { '4', '8' }, ['4'] = { '2', '8' }, ['8'] = MODES }

-- Adds the sets that conflict with a lock to a list of keys.
local function add_conflicting(keys, prefix, lock)
  local node = string.sub(lock, 2)
  for _, other in ipairs(CONFLICTING[string.sub(lock, 1, 1)]) do keys[#keys + 1] = prefix .. 'lock:' .. other .. node end
end

local function any_exists(keys)
  return #keys > 0 and redis.call('EXISTS', unpack(keys)) > 0
end

-- The locks with another command in a conflicting mode. Usually there is none, which takes one call; otherwise it is
-- usually only the last one, the file itself, which takes two.
local function contended(prefix, locks)
  local all, above, found = {}, 0, {}
  for position, lock in ipairs(locks) do
    if position == #locks then above = #all end
    add_conflicting(all, prefix, lock)
  end
  if not any_exists(all) then return found end
  if not any_exists({ unpack(all, 1, above) }) then return { locks[#locks] } end
  for _, lock in ipairs(locks) do
    local keys = {}
    add_conflicting(keys, prefix, lock)
    if any_exists(keys) then found[#found + 1] = lock end
  end
  return found
end

-- Enters behind all earlier arrivals.
local function enter_locks(prefix, id, arrival, locks)
  for _, lock in ipairs(locks) do redis.call('ZADD', prefix .. 'lock:' .. lock, arrival, id) end
end

-- Takes one blocked entry off the commands on a lock that arrived after `low` and up to `high`, and adds those without
-- blocked entries to `freed`. Handles at most `chunk`; returns where to continue, or nothing.
local function pass_watermark(prefix, lock, low, high, chunk, freed)
  local blocked = prefix .. 'blocked'
  local passed =
    redis.call('ZRANGE', prefix .. 'lock:' .. lock, '(' .. low, high, 'BYSCORE', 'LIMIT', 0, chunk, 'WITHSCORES')
  for position = 1, #passed, 2 do
    local id = passed[position]
    if redis.call('HINCRBY', blocked, id, '-1') == 0 then
      redis.call('HDEL', blocked, id)
      freed[#freed + 1] = id
    end
  end
  if #passed == 2 * chunk then return passed[#passed] end
end

-- The earliest entry of each mode.
local function first_arrivals(prefix, node)
  local first = {}
  for _, mode in ipairs(MODES) do
    local entry = redis.call('ZRANGE', prefix .. 'lock:' .. mode .. node, 0, 0, 'WITHSCORES')
    first[mode] = entry[2] and tonumber(entry[2]) or math.huge
  end
  return first
end

-- Raises the watermarks of one node after a command with these modes and this arrival left it.
local function raise_watermarks(prefix, node, left, arrival, chunk, freed)
  local first = first_arrivals(prefix, node)
  for _, mode in ipairs(MODES) do
    local before, now, touched = math.huge, math.huge, false
    for _, other in ipairs(CONFLICTING[mode]) do
      now = math.min(now, first[other])
      before = math.min(before, first[other])
      if left[other] then
        before = math.min(before, arrival)
        touched = true
      end
    end
    if touched and now > before and first[mode] < math.huge then
      local high = now == math.huge and '+inf' or string.format('%.0f', now)
      local low = string.format('%.0f', before)
      local last = pass_watermark(prefix, mode .. node, low, high, chunk, freed)
      if last then redis.call('RPUSH', prefix .. 'to-pass', cmsgpack.pack({ mode .. node, last, high })) end
    end
  end
end

-- Removes a command's entries, and adds the commands that may run as a result to `freed`. What exceeds a chunk is left
-- for continue_passing.
local function leave_locks(prefix, id, arrival, locks, chunk, freed)
  for _, lock in ipairs(locks) do redis.call('ZREM', prefix .. 'lock:' .. lock, id) end
  if redis.call('EXISTS', prefix .. 'blocked') == 0 then return end
  local nodes, modes_of = {}, {}
  for _, lock in ipairs(contended(prefix, locks)) do
    local node = string.sub(lock, 2)
    if not modes_of[node] then
      nodes[#nodes + 1] = node
      modes_of[node] = {}
    end
    modes_of[node][string.sub(lock, 1, 1)] = true
  end
  for _, node in ipairs(nodes) do raise_watermarks(prefix, node, modes_of[node], arrival, chunk, freed) end
end

-- Handles one more chunk of an unfinished rise; returns whether there is more.
local function continue_passing(prefix, chunk, freed)
  local rises = prefix .. 'to-pass'
  local packed = redis.call('LINDEX', rises, 0)
  if not packed then return false end
  local rise = cmsgpack.unpack(packed)
  local last = pass_watermark(prefix, rise[1], rise[2], rise[3], chunk, freed)
  if last then
    redis.call('LSET', rises, 0, cmsgpack.pack({ rise[1], last, rise[3] }))
  else
    redis.call('LPOP', rises)
  end
  return redis.call('EXISTS', rises) == 1
end

-- The earliest `limit` commands on these locks that arrived earlier and conflict.
local function blockers_of(prefix, arrival, locks, limit)
  local keys, lists, before = {}, {}, '(' .. string.format('%.0f', arrival)
  for _, lock in ipairs(locks) do add_conflicting(keys, prefix, lock) end
  for _, key in ipairs(keys) do
    local ids = redis.call('ZRANGE', key, '-inf', before, 'BYSCORE', 'LIMIT', 0, limit)
    if ids[1] then lists[#lists + 1] = { key, ids } end
  end
  -- Usually one file is waited for, and its list is in order.
  if #lists < 2 then return lists[1] and lists[1][2] or {} end

  local found, arrived = {}, {}
  for _, list in ipairs(lists) do
    for _, id in ipairs(list[2]) do
      if not arrived[id] then
        found[#found + 1] = id
        arrived[id] = tonumber(redis.call('ZSCORE', list[1], id))
      end
    end
  end
  table.sort(found, function(a, b) return arrived[a] < arrived[b] end)
  return { unpack(found, 1, math.min(limit, #found)) }
end
