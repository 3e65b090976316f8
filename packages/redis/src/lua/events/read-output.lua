-- read-output: what a command printed after a position.
--
-- KEYS[1]   prefix of the workspace
-- ARGV[1]   name of the output
-- ARGV[2]   bytes that the reader has seen
-- ARGV[3]   how many batches at most
--
-- Replies   {bytes of the reader's new position, bytes dropped before it could read them, {stream, text, stream, text
--           …}}

local output, seen = KEYS[1] .. 'output:' .. ARGV[1], tonumber(ARGV[2])
local newest = redis.call('XREVRANGE', output, '+', '-', 'COUNT', 1)[1]
if not newest then return { seen, 0, {} } end
-- Redis lost the earlier output, and it started over.
if tonumber(string.match(newest[1], '^%d+')) < seen then seen = 0 end

local position, missed, chunks = seen, 0, {}
local batches = redis.call('XRANGE', output, string.format('(%.0f-0', seen), '+', 'COUNT', ARGV[3])
for _, batch in ipairs(batches) do
  local fields = batch[2]
  missed = missed + math.max(0, tonumber(fields[2]) - position)
  for n = 3, #fields do chunks[#chunks + 1] = fields[n] end
  position = tonumber(string.match(batch[1], '^%d+'))
end
return { position, missed, chunks }
