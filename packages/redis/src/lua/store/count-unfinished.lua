-- count-unfinished: counts the commands that are not done, by state and provider.
--
-- KEYS[1]   prefix of the workspace
--
-- Replies   {{state, provider, how many} ...}, in no order

local counts, lines = {}, {}
for _, id in ipairs(redis.call('ZRANGE', KEYS[1] .. 'commands:unfinished', 0, -1)) do
  local found = redis.call('HMGET', KEYS[1] .. 'command:' .. id, 'state', 'provider')
  local key = found[1] .. ' ' .. found[2]
  if counts[key] == nil then
    counts[key] = { found[1], found[2], 0 }
    lines[#lines + 1] = counts[key]
  end
  counts[key][3] = counts[key][3] + 1
end
return lines
