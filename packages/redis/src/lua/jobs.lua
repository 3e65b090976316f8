-- Commands as jobs of BullMQ, in its queue `commands`: laid out as BullMQ 6.7.0 does it, with the command's id for the
-- job's. A command whose locks are free is `prioritized` while it needs a place, `active` from its grant on, and
-- `completed` or `failed` with its outcome when it has ended. Needs entries.lua.
--
-- No worker takes them from there: the script that grants a command names the one coordinator that may run it, and so
-- its job is active at once. Nothing that is done to a job by hand runs a command again.

local MOST_JOB_EVENTS = '10000'

local function job_key(prefix, id)
  return prefix .. 'commands:cmd_' .. id
end

-- For whoever listens with QueueEvents.
local function tell_job(prefix, id, event, ...)
  redis.call('XADD', prefix .. 'commands:events', 'MAXLEN', '~', MOST_JOB_EVENTS, '*',
    'event', event, 'jobId', 'cmd_' .. id, ...)
end

-- Short values, so that Redis keeps it packed. In the place of the job of an earlier grant, where the command went back to be approved. More fields may follow.
local function add_job(prefix, id, entry, ...)
  local name = redis.call('HGET', prefix .. 'command:cmd_' .. id, 'title') or entry.provider
  local added = redis.call('HSET', job_key(prefix, id), 'name', name,
    'data', '{"provider":"' .. entry.provider .. '"}', 'opts', '{"attempts":1}',
    'timestamp', whole(entry.since), 'priority', entry.priority, ...)
  if added < 5 then
    redis.call('HDEL', job_key(prefix, id), 'finishedOn', 'returnvalue', 'failedReason')
    redis.call('LREM', prefix .. 'commands:active', '-1', 'cmd_' .. id)
    for _, ended in ipairs({ 'completed', 'failed' }) do redis.call('ZREM', prefix .. 'commands:' .. ended, 'cmd_' .. id) end
  end
  tell_job(prefix, id, 'added', 'name', name)
end

-- As BullMQ: by priority, then by arrival. `how`: 'NX' adds it, 'XX' changes it.
local function order_job(prefix, id, entry, how)
  local order = whole(entry.priority * 4294967296 + entry.arrival)
  return redis.call('ZADD', prefix .. 'commands:prioritized', how, 'CH', order, 'cmd_' .. id)
end

-- Its locks are free, and it needs a place.
local function line_up_job(prefix, id, entry)
  add_job(prefix, id, entry)
  order_job(prefix, id, entry, 'NX')
  tell_job(prefix, id, 'waiting')
end

-- One that was removed by hand stays so.
local function prioritize_job(prefix, id, entry)
  if order_job(prefix, id, entry, 'XX') == 0 then return end
  redis.call('HSET', job_key(prefix, id), 'priority', entry.priority)
end

-- To be called by each grant. One that runs and only waited to put its files has its job.
local function start_job(prefix, id, entry, was_lined_up)
  local started_on = whole(entry.granted)
  -- Else it was removed by hand.
  if was_lined_up and redis.call('ZREM', prefix .. 'commands:prioritized', 'cmd_' .. id) == 1 then
    redis.call('HSET', job_key(prefix, id), 'processedOn', started_on, 'ats', '1', 'pb', entry.owner)
  elseif entry.placeless and redis.call('HEXISTS', job_key(prefix, id), 'processedOn') == 1 then
    return
  else
    add_job(prefix, id, entry, 'processedOn', started_on, 'ats', '1', 'pb', entry.owner)
  end
  redis.call('LPUSH', prefix .. 'commands:active', 'cmd_' .. id)
  tell_job(prefix, id, 'active', 'prev', 'waiting')
end

-- It left before it ran, or goes back to be approved.
local function remove_job(prefix, id)
  if redis.call('DEL', job_key(prefix, id)) == 0 then return end
  local was_lined_up = redis.call('ZREM', prefix .. 'commands:prioritized', 'cmd_' .. id) == 1
  if not was_lined_up then redis.call('LREM', prefix .. 'commands:active', '-1', 'cmd_' .. id) end
  tell_job(prefix, id, 'removed', 'prev', was_lined_up and 'prioritized' or 'active')
end

-- Nothing where its job is not active: it has ended, or was removed by hand.
local function end_job(prefix, id, now, outcome)
  local job, has_completed = 'cmd_' .. id, outcome == 'completed'
  if redis.call('LREM', prefix .. 'commands:active', '-1', job) == 0 then return end
  local set, field = 'failed', 'failedReason'
  if has_completed then set, field, outcome = 'completed', 'returnvalue', '"completed"' end
  redis.call('HSET', job_key(prefix, id), field, outcome, 'finishedOn', whole(now), 'atm', '1')
  redis.call('ZADD', prefix .. 'commands:' .. set, whole(now), job)
  tell_job(prefix, id, set, field, outcome, 'prev', 'active')
end
