-- news: what is new for one process.
--
-- Libraries   scoreboard.lua, entries.lua, jobs.lua, queue.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1]     process that asks
-- ARGV[2]     number of the last notice that it has got
-- ARGV[3]     how many at most
--
-- Replies     {now, {notices}}; a notice is '<number> <JSON>', and comes again until it is known to have been got

return { whole(now_ms()), news_for(KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])) }
