-- execution-settle: its coordinator asks how an execution stands, and that it goes no further.
--
-- Asking again answers the same, since an answer may get lost; until it is forgotten.
--
-- KEYS[1]   prefix of the workspace
-- ARGV[1]   execution's id
-- ARGV[2]   'withdraw': nobody begins it any more | 'over': nor does the worker that began it end it any more
--
-- Replies   {'unbegun'}: nobody ever begins it | {'begun', the worker} | {'ended', how, as JSON} | {'lost'}: who began it
--           did not end it | {'gone'}: nothing is known of it

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
