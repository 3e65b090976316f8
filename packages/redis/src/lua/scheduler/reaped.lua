-- reaped: a worker that lost the lease of a command reports that nothing is left of it. If the process that held the
-- lease is dead, its claims are passed on at once.
--
-- Libraries   scoreboard.lua, entries.lua, jobs.lua, queue.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1..3]  lease's id, its command's without 'cmd_', fencing token
-- ARGV[4]     the coordinator for which it was executed
-- ARGV[5]     time to live in milliseconds
--
-- Replies     {'noted'} | {'held', milliseconds}: the lease still lives for this long | {'running'}: another execution
--             of the command is not over, and its worker will report | {'stale'}: the claims have another holder, or
--             none

local prefix, id, fence, ttl = KEYS[1], ARGV[2], ARGV[3], tonumber(ARGV[5])
local now = now_ms()
local holder, entry = holder_of(prefix, ARGV[1], id)
if not holder or whole(entry.fence) ~= fence then return { 'stale' } end
if entry.state == 'held' and entry.expires > now then return { 'held', math.ceil(entry.expires - now) } end
for _, execution in ipairs(redis.call('SMEMBERS', prefix .. 'executions:' .. ARGV[4])) do
  local known = redis.call('HMGET', prefix .. 'execution:' .. execution, 'state', 'command')
  if known[1] == 'begun' and known[2] == 'cmd_' .. id then return { 'running' } end
end
-- Its process may be declared dead later, or never: then it releases the lease itself.
redis.call('SET', prefix .. 'reaped:' .. id, fence, 'PX', 4 * ttl)
if not redis.call('ZSCORE', prefix .. 'quarantine', id) then return { 'noted' } end
local newest = redis.call('ZRANGE', prefix .. 'owners', -1, -1, 'WITHSCORES')
if newest[2] and tonumber(newest[2]) > now then
  pass_lease_on(prefix, id, newest[1])
else
  quarantine(prefix, id, entry, now, ttl)
end
keep_queue(prefix)
return { 'noted' }
