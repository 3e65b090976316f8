-- read-totals: totals of all commands that ever ended, including rotated ones.
--
-- Libraries   totals.lua
-- KEYS[1]     prefix of the workspace
--
-- Replies     a list of {[provider, tool, outcome], [commands, duration, waited]}, both as JSON

local prefix = KEYS[1]
local totals = rotated_totals(prefix)
for _, member in ipairs(redis.call('ZRANGE', prefix .. 'commands:ended', 0, -1)) do
  local _, line, duration, waited = ended_command(prefix, member)
  add_to(totals, line, 1, duration, waited)
end

local reply = {}
for line, sum in pairs(totals) do
  reply[#reply + 1] = { line, cjson.encode(sum) }
end
return reply
