-- Appends events to the log and publishes them, in the same step as the caller's changes. Drops the oldest when a batch
-- more than `keep` are stored, or when all together are too long: command output must not fill the memory. Remembers
-- the last id dropped.
--
-- Returns the list of ids; each is '<epoch ms>-<n>' by the clock of Redis, and grows even when that goes back.

local DROP_AT_ONCE = 64
-- Average per kept event: 100 MiB for the default 100,000.
local MOST_BYTES = 1024

-- Removes the oldest `count` events; returns their size in bytes.
local function drop_events(prefix, count)
  local log, bytes = prefix .. 'events', 0
  local dropped = redis.call('XRANGE', log, '-', '+', 'COUNT', count)
  for _, entry in ipairs(dropped) do bytes = bytes + #entry[2][2] end
  redis.call('SET', prefix .. 'events:dropped', dropped[#dropped][1])
  redis.call('XTRIM', log, 'MAXLEN', '=', redis.call('XLEN', log) - #dropped)
  return bytes
end

-- Published is the event as JSON, preceded by its id and time.
local function append_events(prefix, topic, keep, events)
  local log, ids, added = prefix .. 'events', {}, 0
  for position, event in ipairs(events) do
    local id = redis.call('XADD', log, '*', 'event', event)
    redis.call('PUBLISH', prefix .. topic,
      '{"id":"' .. id .. '","at":' .. string.match(id, '^%d+') .. ',' .. string.sub(event, 2))
    ids[position] = id
    added = added + #event
  end
  if added == 0 then return ids end
  local bytes, surplus = redis.call('INCRBY', prefix .. 'events:bytes', added), redis.call('XLEN', log) - keep
  local dropped = surplus >= DROP_AT_ONCE and drop_events(prefix, surplus) or 0
  while bytes - dropped > keep * MOST_BYTES do dropped = dropped + drop_events(prefix, 1) end
  if dropped > 0 then redis.call('DECRBY', prefix .. 'events:bytes', dropped) end
  return ids
end
