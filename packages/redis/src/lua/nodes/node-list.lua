-- node-list: members that live, and those that died and are not settled, as last reported.
--
-- KEYS[1]   prefix of the workspace
--
-- Replies   {{members that live, as JSON}, {members that died, as JSON}, {id, milliseconds since it was seen …}}

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function all_of(set)
  local members = {}
  for _, id in ipairs(redis.call('ZRANGE', KEYS[1] .. set, 0, -1)) do
    members[#members + 1] = redis.call('HGET', KEYS[1] .. 'members', id) or nil
  end
  return members
end

local seen = redis.call('HGETALL', KEYS[1] .. 'members:seen')
for position = 2, #seen, 2 do seen[position] = string.format('%.0f', now - seen[position]) end

return { all_of('members:living'), all_of('members:dead'), seen }
