-- append: stores events that belong to no record.
--
-- Libraries   events.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1..2]  topic, how many events are kept at least
-- ARGV[3..]   the events, as JSON
--
-- Replies     their ids, a list

local events = {}
for position = 3, #ARGV do events[position - 2] = ARGV[position] end
return append_events(KEYS[1], ARGV[1], tonumber(ARGV[2]), events)
