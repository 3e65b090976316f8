-- topic: the channel on which events of the workspace are published, without the prefix. All processes of a workspace
-- share it, so a process that joins living ones uses theirs.
--
-- KEYS[1]   prefix of the workspace
-- ARGV[1]   the process, a member by now
-- ARGV[2]   the topic that its settings name
--
-- Replies   the topic to use

local prefix, key = KEYS[1], KEYS[1] .. 'topic'
local time = redis.call('TIME')
local others = redis.call('ZCOUNT', prefix .. 'members:living', '(' .. time[1] * 1000, '+inf')
if redis.call('ZSCORE', prefix .. 'members:living', ARGV[1]) then others = others - 1 end
local noted = redis.call('GET', key)
if noted and others > 0 then return noted end
redis.call('SET', key, ARGV[2])
return ARGV[2]
