-- send-messages: leaves messages for one member and wakes it up. They stay, in order, until the member deletes them.
--
-- KEYS[1]    prefix of the workspace
-- ARGV[1]    member's id
-- ARGV[2..]  messages, as JSON
--
-- Replies    'left' | 'gone': there is no such member

local prefix, member = KEYS[1], ARGV[1]
if redis.call('HEXISTS', prefix .. 'members', member) == 0 then return 'gone' end
local id
for position = 2, #ARGV do id = redis.call('XADD', prefix .. 'post:' .. member, '*', 'message', ARGV[position]) end
redis.call('PUBLISH', prefix .. 'post:' .. member, id)
return 'left'
