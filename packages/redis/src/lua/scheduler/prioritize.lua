-- prioritize: changes the priority of a waiting command. This affects the order of slots, not of locks.
--
-- Libraries   scoreboard.lua, entries.lua, jobs.lua, queue.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1..2]  id without 'cmd_', priority
--
-- Replies     'prioritized' | 'not-waiting'

local prefix, id = KEYS[1], ARGV[1]
local entry = entry_of(prefix, id)
if not entry or entry.state ~= 'wait' then return 'not-waiting' end
entry.priority, entry.text = ARGV[2], nil
keep_entry(prefix, id, entry)
local has_lined_up = not entry.placeless and redis.call('HEXISTS', prefix .. 'blocked', id) == 0
if has_lined_up then
  redis.call('ZADD', prefix .. 'ready:' .. entry.provider, entry.priority, in_order(entry.arrival) .. ' ' .. id)
  take_turn(prefix, entry.provider)
  prioritize_job(prefix, id, entry)
end
keep_queue(prefix)
return 'prioritized'
