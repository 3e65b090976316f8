-- enter: to be called before anything else is read or stored. Checks that the workspace's data has the format these
-- scripts know. In an empty workspace it notes the format; data in another format is left untouched.
--
-- Libraries   format.lua
-- KEYS[1]     prefix of the workspace
-- ARGV[1]     'note' | 'look': changes nothing
--
-- Replies     {'known'} | {'empty'}: nothing is stored | {'other', stored format, known format}: the stored format is
--             empty if that version noted none

local queue = KEYS[1] .. 'queue'
local found = redis.call('HGET', queue, 'format')
if found == FORMAT then return { 'known' } end
if found or redis.call('EXISTS', KEYS[1] .. 'epoch') == 1 then return { 'other', found or '', FORMAT } end
if ARGV[1] == 'look' then return { 'empty' } end
redis.call('HSET', queue, 'format', FORMAT)
return { 'known' }
