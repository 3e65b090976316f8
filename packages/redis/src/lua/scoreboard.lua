-- Who holds and who waits, exactly and in arrival order (multi-granularity locking).
--
-- For each node of the resource tree and each mode, '<prefix>lock:<mode>:<node>' is a sorted set of the
-- unfinished commands that left that mode there, by arrival. An entry is free when no earlier one of a
-- conflicting mode stands on its node; a command may run when all its entries are free. So the free entries of a
-- set are those up to a watermark, the earliest entry of the conflicting modes. When an entry leaves, watermarks
-- only rise, and each entry is passed once: the cost does not depend on how many wait.
--
-- Locks are a flat list, node, bits, node, bits …; the bits are IS 1, IX 2, S 4, X 8. Commands go by their ids
-- without 'cmd_'. The first two bytes of '<prefix>entry:<id>' count the entries of a command that are not free.

local MODES = { 1, 2, 4, 8 }
local CONFLICTING = { [1] = { 8 }, [2] = { 4, 8 }, [4] = { 2, 8 }, [8] = { 1, 2, 4, 8 } }

local function lock_key(prefix, mode, node)
  return prefix .. 'lock:' .. mode .. ':' .. node
end

local function has(bits, mode)
  return bit.band(bits, mode) ~= 0
end

-- Calls visit(node, mode) for every entry.
local function each_entry(locks, visit)
  for position = 1, #locks, 2 do
    for _, mode in ipairs(MODES) do
      if has(locks[position + 1], mode) then visit(locks[position], mode) end
    end
  end
end

-- Adds the sets that conflict with one entry to a list of keys.
local function add_conflicting(keys, prefix, node, mode)
  for _, other in ipairs(CONFLICTING[mode]) do keys[#keys + 1] = lock_key(prefix, other, node) end
end

local function any_exists(keys)
  return #keys > 0 and redis.call('EXISTS', unpack(keys)) > 0
end

-- Whether anybody stands, or waits, where it conflicts with one of these locks. One call, whatever their number.
local function meets_others(prefix, locks)
  local keys = {}
  each_entry(locks, function(node, mode) add_conflicting(keys, prefix, node, mode) end)
  return any_exists(keys)
end

-- How many entries a newcomer with these locks would have to wait for; 0: it may run.
local function count_blocked(prefix, locks)
  if not meets_others(prefix, locks) then return 0 end
  local blocked = 0
  each_entry(locks, function(node, mode)
    local keys = {}
    add_conflicting(keys, prefix, node, mode)
    if any_exists(keys) then blocked = blocked + 1 end
  end)
  return blocked
end

-- After everybody who came before.
local function enter_locks(prefix, id, arrival, locks)
  each_entry(locks, function(node, mode) redis.call('ZADD', lock_key(prefix, mode, node), arrival, id) end)
end

-- One entry less for those on (node, mode) who arrived after `low` and up to `high`; adds to `freed` for whom it
-- was the last. Takes no more than `chunk`, and returns where to go on, or nothing.
local function pass_watermark(prefix, node, mode, low, high, chunk, freed)
  local passed =
    redis.call('ZRANGE', lock_key(prefix, mode, node), '(' .. low, high, 'BYSCORE', 'LIMIT', 0, chunk, 'WITHSCORES')
  for position = 1, #passed, 2 do
    local id = passed[position]
    local left = redis.call('BITFIELD', prefix .. 'entry:' .. id, 'INCRBY', 'u16', 0, -1)[1]
    if left == 0 then freed[#freed + 1] = id end
  end
  if #passed == 2 * chunk then return passed[#passed] end
end

local function first_arrivals(prefix, node)
  local first = {}
  for _, mode in ipairs(MODES) do
    local entry = redis.call('ZRANGE', lock_key(prefix, mode, node), 0, 0, 'WITHSCORES')
    first[mode] = entry[2] and tonumber(entry[2]) or math.huge
  end
  return first
end

-- Raises the watermarks of one node from where a command with these bits held them down.
local function raise_watermarks(prefix, node, bits, arrival, chunk, freed)
  local first = first_arrivals(prefix, node)
  for _, mode in ipairs(MODES) do
    local before, now, touched = math.huge, math.huge, false
    for _, other in ipairs(CONFLICTING[mode]) do
      now = math.min(now, first[other])
      before = math.min(before, first[other])
      if has(bits, other) then
        before = math.min(before, arrival)
        touched = true
      end
    end
    if touched and now > before and first[mode] < math.huge then
      local high = now == math.huge and redis.call('HGET', prefix .. 'queue', 'arrivals') or string.format('%.0f', now)
      local low = string.format('%.0f', before)
      local last = pass_watermark(prefix, node, mode, low, high, chunk, freed)
      if last then redis.call('RPUSH', prefix .. 'to-pass', cmsgpack.pack({ node, mode, last, high })) end
    end
  end
end

-- Takes a command's entries out, and adds to `freed` who may run because of it. What is more than a chunk is left
-- for continue_passing.
local function leave_locks(prefix, id, arrival, locks, chunk, freed)
  each_entry(locks, function(node, mode) redis.call('ZREM', lock_key(prefix, mode, node), id) end)
  if not meets_others(prefix, locks) then return end
  for position = 1, #locks, 2 do
    if meets_others(prefix, { locks[position], locks[position + 1] }) then
      raise_watermarks(prefix, locks[position], locks[position + 1], arrival, chunk, freed)
    end
  end
end

-- One more chunk of an unfinished rise; returns whether there is still more.
local function continue_passing(prefix, chunk, freed)
  local rises = prefix .. 'to-pass'
  local packed = redis.call('LINDEX', rises, 0)
  if not packed then return false end
  local rise = cmsgpack.unpack(packed)
  local last = pass_watermark(prefix, rise[1], rise[2], rise[3], rise[4], chunk, freed)
  if last then
    redis.call('LSET', rises, 0, cmsgpack.pack({ rise[1], rise[2], last, rise[4] }))
  else
    redis.call('LPOP', rises)
  end
  return redis.call('EXISTS', rises) == 1
end

-- The earliest `limit` commands that stand before one that arrived then.
local function blockers_of(prefix, arrival, locks, limit)
  local found, seen = {}, {}
  each_entry(locks, function(node, mode)
    for _, other in ipairs(CONFLICTING[mode]) do
      local earlier = redis.call('ZRANGE', lock_key(prefix, other, node), '-inf',
        '(' .. string.format('%.0f', arrival), 'BYSCORE', 'LIMIT', 0, limit, 'WITHSCORES')
      for position = 1, #earlier, 2 do
        if not seen[earlier[position]] then
          seen[earlier[position]] = true
          found[#found + 1] = { earlier[position], tonumber(earlier[position + 1]) }
        end
      end
    end
  end)
  table.sort(found, function(a, b) return a[2] < b[2] end)
  local ids = {}
  for position = 1, math.min(limit, #found) do ids[position] = found[position][1] end
  return ids
end
