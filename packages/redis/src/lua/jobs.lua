-- Commands as jobs of BullMQ, in its queue `commands`, in the layout of BullMQ 6.7.0, with the command's id as the
-- job's id. A command whose locks are free is `prioritized` while it needs a slot, `active` from its grant on, and
-- `completed` or `failed` with its outcome after its end. Needs entries.lua.
--
-- No worker takes jobs from this queue: the script that grants a command names the only coordinator that may run it,
-- and so its job is active at once. Editing a job by hand never runs a command again.

local MOST_JOB_EVENTS = '10000'

local function job_key(prefix, id)
  return prefix .. 'commands:cmd_' .. id
end

-- For listeners that use QueueEvents.
local function emit_job_event(prefix, id, event, ...)
  redis.call('XADD', prefix .. 'commands:events', 'MAXLEN', '~', MOST_JOB_EVENTS, '*',
    'event', event, 'jobId', 'cmd_' .. id, ...)
end

-- Short values, so that Redis stores the hash compactly. Replaces the job of an earlier grant if the command went back
-- to be approved. More fields may follow.
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
  emit_job_event(prefix, id, 'added', 'name', name)
end

-- In BullMQ's order: by priority, then by arrival. `how`: 'NX' adds it, 'XX' changes it.
local function order_job(prefix, id, entry, how)
  local order = whole(entry.priority * 4294967296 + entry.arrival)
  return redis.call('ZADD', prefix .. 'commands:prioritized', how, 'CH', order, 'cmd_' .. id)
end

-- For a command whose locks are free and that needs a slot.
local function line_up_job(prefix, id, entry)
  add_job(prefix, id, entry)
  order_job(prefix, id, entry, 'NX')
  emit_job_event(prefix, id, 'waiting')
end

-- A job that was removed by hand stays removed.
local function prioritize_job(prefix, id, entry)
  if order_job(prefix, id, entry, 'XX') == 0 then return end
  redis.call('HSET', job_key(prefix, id), 'priority', entry.priority)
end

-- Called by each grant. A command that ran and waited only to commit its changes keeps its job.
local function start_job(prefix, id, entry, was_lined_up)
  local started_on = whole(entry.granted)
  -- Otherwise the job was removed by hand.
  if was_lined_up and redis.call('ZREM', prefix .. 'commands:prioritized', 'cmd_' .. id) == 1 then
    redis.call('HSET', job_key(prefix, id), 'processedOn', started_on, 'ats', '1', 'pb', entry.owner)
  elseif entry.placeless and redis.call('HEXISTS', job_key(prefix, id), 'processedOn') == 1 then
    return
  else
    add_job(prefix, id, entry, 'processedOn', started_on, 'ats', '1', 'pb', entry.owner)
  end
  redis.call('LPUSH', prefix .. 'commands:active', 'cmd_' .. id)
  emit_job_event(prefix, id, 'active', 'prev', 'waiting')
end

-- For a command that left before it ran, or goes back to be approved.
local function remove_job(prefix, id)
  if redis.call('DEL', job_key(prefix, id)) == 0 then return end
  local was_lined_up = redis.call('ZREM', prefix .. 'commands:prioritized', 'cmd_' .. id) == 1
  if not was_lined_up then redis.call('LREM', prefix .. 'commands:active', '-1', 'cmd_' .. id) end
  emit_job_event(prefix, id, 'removed', 'prev', was_lined_up and 'prioritized' or 'active')
end

-- Does nothing if its job is not active: it has ended, or was removed by hand.
local function end_job(prefix, id, now, outcome)
  local job, has_completed = 'cmd_' .. id, outcome == 'completed'
  if redis.call('LREM', prefix .. 'commands:active', '-1', job) == 0 then return end
  local set, field = 'failed', 'failedReason'
  if has_completed then set, field, outcome = 'completed', 'returnvalue', '"completed"' end
  redis.call('HSET', job_key(prefix, id), field, outcome, 'finishedOn', whole(now), 'atm', '1')
  redis.call('ZADD', prefix .. 'commands:' .. set, whole(now), job)
  emit_job_event(prefix, id, set, field, outcome, 'prev', 'active')
end
