-- unfinished-runs: the runs that are not over, sorted by id, without those that somebody has removed.
--
-- KEYS[1]     prefix of the workspace
--
-- Replies     a list of {id, fields and values of its hash …}

local found = {}
for _, id in ipairs(redis.call('ZRANGE', KEYS[1] .. 'runs', 0, -1)) do
  local fields = redis.call('HGETALL', KEYS[1] .. 'runs:' .. id)
  if #fields > 0 then found[#found + 1] = { id, unpack(fields) } end
end
return found
