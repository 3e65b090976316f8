-- unfinished-runs: the runs that are not over, sorted by id.
--
-- KEYS[1]     prefix of the workspace
--
-- Replies     a list of {id, fields and values of its hash …}

local found = {}
for position, id in ipairs(redis.call('ZRANGE', KEYS[1] .. 'runs', 0, -1)) do
  found[position] = { id, unpack(redis.call('HGETALL', KEYS[1] .. 'runs:' .. id)) }
end
return found
