-- list: commands that match a filter, newest first.
--
-- KEYS[1]   prefix of the workspace
-- ARGV[1]   submitted at or after, epoch milliseconds or -inf
-- ARGV[2]   submitted at or before, epoch milliseconds or +inf
-- ARGV[3]   how many at most
-- ARGV[4]   the rest of the filter, as JSON: provider, sessionId, tool, states, outcomes; each may be missing
--
-- Replies   {{id, the record as JSON} ...}

local PAGE = 200
local filter, limit = cjson.decode(ARGV[4]), tonumber(ARGV[3])

local function set_of(words)
  if not words then return nil end
  local set = {}
  for _, word in ipairs(words) do set[word] = true end
  return set
end
local states, outcomes = set_of(filter.states), set_of(filter.outcomes)

local function fits(command)
  return (not filter.provider or filter.provider == command[1])
    and (not filter.sessionId or filter.sessionId == command[2])
    and (not filter.tool or filter.tool == command[3])
    and (not states or states[command[4]])
    and (not outcomes or outcomes[command[5]])
end

local newest, found, offset = KEYS[1] .. 'commands:newest', {}, 0
while #found < limit do
  -- Equal times are ordered by id, descending too.
  local ids = redis.call('ZRANGE', newest, ARGV[2], ARGV[1], 'BYSCORE', 'REV', 'LIMIT', offset, PAGE)
  for _, id in ipairs(ids) do
    local command = redis.call('HMGET', KEYS[1] .. 'command:' .. id,
      'provider', 'session', 'tool', 'state', 'outcome', 'record')
    if #found < limit and fits(command) then found[#found + 1] = { id, command[6] or '' } end
  end
  if #ids < PAGE then break end
  offset = offset + PAGE
end
return found
