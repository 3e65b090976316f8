-- commit-run: stores parts of a run and events, all or nothing, if its owner is still the same.
--
-- Libraries   events.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1..3]  id, owner (empty: none), 'begun' | 'changed' | 'over'
-- ARGV[4..6]  topic, how many events are kept at least, number of parts
-- ARGV[7..]   name and value of each part, then the events, as JSON
--
-- Replies     {'stored', ids of the events …} | {'other'}: another coordinator leads it, or it is over

local prefix, id, owner, kind = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
local run, first_event = prefix .. 'runs:' .. id, 7 + 2 * tonumber(ARGV[6])
local present = redis.call('HGET', run, 'owner')
if kind == 'begun' then
  if present then return { 'other' } end
elseif present ~= owner then
  return { 'other' }
end

if kind == 'over' then
  redis.call('DEL', run)
  redis.call('ZREM', prefix .. 'runs', id)
else
  redis.call('HSET', run, 'owner', owner)
  redis.call('ZADD', prefix .. 'runs', 0, id)
  for position = 7, first_event - 1, 2 do
    redis.call('HSET', run, 'part:' .. ARGV[position], ARGV[position + 1])
  end
end

local events = {}
for position = first_event, #ARGV do events[#events + 1] = ARGV[position] end
return { 'stored', unpack(append_events(prefix, ARGV[4], tonumber(ARGV[5]), events)) }
