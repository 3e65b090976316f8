-- execution-settle: its coordinator reads an execution's state and stops it from going further.
--
-- Repeating it gives the same reply, since a reply may be lost, until the execution is forgotten.
--
-- KEYS[1]   prefix of the workspace
-- ARGV[1]   execution's id
-- ARGV[2]   'withdraw': it can't be begun any more | 'over': nor ended by the worker that began it
--
-- Replies   {'unbegun'}: it will never be begun | {'begun', the worker} | {'ended', how, as JSON} | {'lost'}: begun but
--           never ended | {'gone'}: unknown execution

local key = KEYS[1] .. 'execution:' .. ARGV[1]
local state, worker, result = unpack(redis.call('HMGET', key, 'state', 'worker', 'result'))
if not state then return { 'gone' } end
if state == 'ended' then return { 'ended', result } end
if state == 'offered' then
  state = 'unbegun'
elseif state == 'reaped' then
  state = 'lost'
elseif state == 'begun' and ARGV[2] == 'over' then
  state = 'lost'
end
if state == 'lost' and worker then redis.call('SREM', KEYS[1] .. 'begun:' .. worker, ARGV[1]) end
redis.call('HSET', key, 'state', state)
return { state, state == 'begun' and worker or nil }
