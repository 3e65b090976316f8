-- notices: the unacknowledged notices to one process.
--
-- Libraries   scoreboard.lua, entries.lua, jobs.lua, queue.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1]     process that asks
-- ARGV[2]     number of the last notice it received
-- ARGV[3]     how many at most
--
-- Replies     {now, {notices}}; a notice is '<number> <JSON>', repeated until acknowledged

return { whole(now_ms()), notices_for(KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])) }
