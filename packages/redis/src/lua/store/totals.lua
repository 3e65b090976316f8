-- Adds up ended commands by provider, tool and outcome.

local function ended_command(prefix, member)
  local id = string.match(member, ' (.+)$')
  local command = redis.call('HMGET', prefix .. 'command:' .. id,
    'provider', 'tool', 'outcome', 'duration', 'waited')
  return id, cjson.encode({ command[1], command[2], command[3] }), tonumber(command[4]), tonumber(command[5])
end

local function add_to(totals, line, commands, duration, waited)
  local sum = totals[line] or { 0, 0, 0 }
  totals[line] = { sum[1] + commands, sum[2] + duration, sum[3] + waited }
end

-- Invented names of providers and tools must not fill the totals: new combinations beyond the bound are counted as one.
local MOST_TOTALS = 1000

local function bounded_line(totals, lines, line)
  if totals[line] or lines < MOST_TOTALS then return line end
  return cjson.encode({ 'other', 'other', cjson.decode(line)[3] })
end

-- The totals of rotated commands.
local function rotated_totals(prefix)
  local totals = {}
  local fields = redis.call('HGETALL', prefix .. 'commands:rotated')
  for position = 1, #fields, 2 do totals[fields[position]] = cjson.decode(fields[position + 1]) end
  return totals
end
