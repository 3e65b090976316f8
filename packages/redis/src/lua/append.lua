-- append: events that go with no record.
--
-- Libraries   events.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1]     how many events are kept at least
-- ARGV[2..]   the events, as JSON
--
-- Replies     their ids, a list

local events = {}
for position = 2, #ARGV do events[position - 1] = ARGV[position] end
return append_events(KEYS[1], tonumber(ARGV[1]), events)
