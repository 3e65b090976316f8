-- Appends events to the log and tells the subscribers, in the same step as whatever the caller changes.
-- Drops the oldest when a batch more than `keep` are there, and remembers the last one dropped.
--
-- Returns the ids, a list; each is '<epoch ms>-<n>' by the clock of Redis, and grows even when that goes back.

local DROP_AT_ONCE = 64

local function append_events(prefix, keep, events)
  local log, ids = prefix .. 'events', {}
  for position, event in ipairs(events) do
    local id = redis.call('XADD', log, '*', 'event', event)
    redis.call('PUBLISH', prefix .. 'tools:execution', id .. ' ' .. event)
    ids[position] = id
  end
  local surplus = redis.call('XLEN', log) - keep
  if surplus >= DROP_AT_ONCE then
    local dropped = redis.call('XRANGE', log, '-', '+', 'COUNT', surplus)
    redis.call('SET', prefix .. 'events:dropped', dropped[surplus][1])
    redis.call('XTRIM', log, 'MAXLEN', '=', keep)
  end
  return ids
end
