-- Format of everything stored for a workspace, BullMQ's part included. Raise it with every change that another version
-- of Signalbox would misread.
--
-- It is a field of the hash `queue` and the first thing stored. If it is missing, nothing is stored yet, everything was
-- lost, or the data is of a version that noted none.
local FORMAT = '2'

-- Also called by scripts of running processes: another version may have taken over the workspace meanwhile.
local function check_format(found)
  if found and found ~= FORMAT then error({ err = 'FORMAT ' .. found .. ' is kept there, ' .. FORMAT .. ' is known' }) end
end
