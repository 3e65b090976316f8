-- release: frees all claims of a lease, even a lost one, and grants what can run now.
--
-- Libraries   scoreboard.lua, entries.lua, jobs.lua, queue.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1..2]  lease's id; its command's without 'cmd_', or empty: not known
-- ARGV[3..5]  most leases at once, time to live of a lease, most entries passed and slots filled in one step
-- ARGV[6]     process that asks: its own grants are in the reply, which is faster than to publish them
--
-- Replies     {'released', 'more' | 'all', notices to the process that asks …} | {'not-held'}

local prefix = KEYS[1]
asking = ARGV[6]
local id, entry = holder_of(prefix, ARGV[1], ARGV[2])
if not id then return { 'not-held' } end

-- The end of a command that ran is stored with its record. A `running` one continues with its commit; any other goes
-- back to be approved, or its coordinator stops.
local state, outcome = unpack(redis.call('HMGET', prefix .. 'command:cmd_' .. id, 'state', 'outcome'))
if not state or state == 'done' then
  end_job(prefix, id, now_ms(), state and outcome or 'completed')
elseif state ~= 'running' then
  remove_job(prefix, id)
end

local freed = end_lease(prefix, id, entry, tonumber(ARGV[5]))
local rest = grant_next(prefix, freed, tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]))
keep_queue(prefix)
return { 'released', rest, unpack(answers) }
