-- How all that is kept of a workspace is laid out, BullMQ's part too. To be raised by every change that would make another
-- version of Signalbox misread it.
--
-- It stands in the hash `queue`, and is the first that is kept of a workspace: where it is missing, nothing is kept yet,
-- all was forgotten, or what is kept is of a version that noted none.
local FORMAT = '2'

-- For scripts that others than the newly started call too: somebody may have gone over to another version meanwhile.
local function check_format(found)
  if found and found ~= FORMAT then error({ err = 'FORMAT ' .. found .. ' is kept there, ' .. FORMAT .. ' is known' }) end
end
