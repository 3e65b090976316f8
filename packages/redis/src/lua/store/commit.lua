-- commit: stores a command's next revision and its events, all or nothing.
--
-- Libraries   events.lua, entries.lua, jobs.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1..5]  id, revision, state, the record as JSON, how many events are kept at least
-- ARGV[6..9]  provider, session, tool, submitted at
-- ARGV[10..13] four of its ending, empty before it: ended at, outcome, duration, time it waited
-- ARGV[14..15] topic of the events, title of the command
-- ARGV[16..]  the events, as JSON
--
-- Replies     {'stored', ids of the events …} | {'stale', stored revision}

local prefix, id, revision, state = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3]
local command = prefix .. 'command:' .. id
local stored, state_before = unpack(redis.call('HMGET', command, 'revision', 'state'))
stored = tonumber(stored or '0')
if revision ~= stored + 1 then return { 'stale', stored } end

local events = {}
for position = 16, #ARGV do events[position - 15] = ARGV[position] end

local arrival
if stored == 0 then
  arrival = string.format('%016.0f', redis.call('INCR', prefix .. 'commands:arrivals'))
  redis.call('ZADD', prefix .. 'commands:ids', 0, id)
else
  arrival = redis.call('HGET', command, 'arrival')
end
redis.call('HSET', command, 'arrival', arrival, 'revision', revision, 'state', state, 'record', ARGV[4],
  'provider', ARGV[6], 'session', ARGV[7], 'tool', ARGV[8], 'outcome', ARGV[11], 'duration', ARGV[12],
  'waited', ARGV[13], 'title', ARGV[15])
redis.call('ZADD', prefix .. 'commands:newest', ARGV[9], id)
if state == 'done' then
  -- Total size of the ended commands' records, so that rotation need not read them.
  local bytes = string.len(ARGV[4])
  redis.call('INCRBY', prefix .. 'commands:bytes', bytes - tonumber(redis.call('HGET', command, 'bytes') or '0'))
  redis.call('HSET', command, 'bytes', bytes)
  redis.call('ZREM', prefix .. 'commands:unfinished', id)
  redis.call('ZADD', prefix .. 'commands:ended', ARGV[10], arrival .. ' ' .. id)
else
  redis.call('ZADD', prefix .. 'commands:unfinished', arrival, id)
  redis.call('ZREM', prefix .. 'commands:ended', arrival .. ' ' .. id)
end

if state_before == 'running' and state ~= 'running' then
  local short_id = string.sub(id, 5)
  if state == 'done' then
    end_job(prefix, short_id, now_ms(), ARGV[11])
  else
    remove_job(prefix, short_id)
  end
end

return { 'stored', unpack(append_events(prefix, ARGV[14], tonumber(ARGV[5]), events)) }
