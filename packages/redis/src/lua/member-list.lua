-- member-list: who lives, and who died and is not settled, as the members have said by now.
--
-- KEYS[1]   prefix of the workspace
--
-- Replies   {{members that live, as JSON}, {members that died, as JSON}}

local function all_of(set)
  local members = {}
  for _, id in ipairs(redis.call('ZRANGE', KEYS[1] .. set, 0, -1)) do
    members[#members + 1] = redis.call('HGET', KEYS[1] .. 'members', id) or nil
  end
  return members
end

return { all_of('members:living'), all_of('members:dead') }
