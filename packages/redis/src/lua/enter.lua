-- enter: to be called before anything else is read or stored: whether what is kept of the workspace is laid out as these
-- scripts know it. Where nothing is kept yet it notes the format; what is kept in another one it leaves untouched.
--
-- Libraries   format.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1]     'note' | 'look': changes nothing
--
-- Replies     {'known'} | {'empty'}: nothing is kept | {'other', format that is kept, the known one}: the format that is
--             kept is empty where that version noted none

local queue = KEYS[1] .. 'queue'
local found = redis.call('HGET', queue, 'format')
if found == FORMAT then return { 'known' } end
if found or redis.call('EXISTS', KEYS[1] .. 'epoch') == 1 then return { 'other', found or '', FORMAT } end
if ARGV[1] == 'look' then return { 'empty' } end
redis.call('HSET', queue, 'format', FORMAT)
return { 'known' }
