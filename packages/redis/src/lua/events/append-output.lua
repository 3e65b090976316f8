-- append-output: appends one batch of a command's output and notifies its followers.
--
-- An entry's id is '<end>-0': the UTF-8 bytes up to its end, so a reader's position is a number of bytes.
--
-- KEYS[1]     prefix of the workspace
-- ARGV[1]     name of the output
-- ARGV[2]     bytes that are kept at least; older batches are dropped
-- ARGV[3]     milliseconds without a batch after which all of it is dropped
-- ARGV[4..]   the batch: stream, text, stream, text …
--
-- Replies     the end, in bytes

local output = KEYS[1] .. 'output:' .. ARGV[1]
local newest = redis.call('XREVRANGE', output, '+', '-', 'COUNT', 1)[1]
local from = newest and tonumber(string.match(newest[1], '^%d+')) or 0

local batch, size = {}, 0
for position = 4, #ARGV, 2 do
  batch[position - 3], batch[position - 2] = ARGV[position], ARGV[position + 1]
  size = size + #ARGV[position + 1]
end
if size == 0 then return from end

local to = string.format('%.0f', from + size)
redis.call('XADD', output, to .. '-0', 'from', string.format('%.0f', from), unpack(batch))
local oldest = from + size - tonumber(ARGV[2])
if oldest > 0 then redis.call('XTRIM', output, 'MINID', '=', string.format('%.0f-0', oldest)) end
redis.call('PEXPIRE', output, ARGV[3])
redis.call('PUBLISH', output, to)
return from + size
