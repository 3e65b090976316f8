/**
 * Reads who is to be killed when, a line each, and does it; when the lines end, we are dead, and it kills all.
 *
 *     watch ID AT_MS PID …     renew ID AT_MS     leave ID
 *
 * It looks at least once a second, since a machine that slept does not wake it in time.
 */
const SCRIPT = `
trap '' INT TERM HUP QUIT TSTP
declare -A ends pids

now() {
  local uptime rest
  read -r uptime rest </proc/uptime
  now=$(( 10#\${uptime/./} * 10 ))
}

end() {
  kill -KILL -- \${pids[$1]} 2>/dev/null
  unset "ends[$1]" "pids[$1]"
}

# In milliseconds, until the first end.
patience() {
  local id
  now
  wait=1000
  for id in "\${!ends[@]}"; do
    if (( ends[$id] <= now )); then end "$id"
    elif (( ends[$id] - now < wait )); then wait=$(( ends[$id] - now ))
    fi
  done
}

while :; do
  if (( \${#ends[@]} == 0 )); then read -r word id at rest
  else
    patience
    printf -v seconds '%d.%03d' $(( wait / 1000 )) $(( wait % 1000 ))
    read -r -t "$seconds" word id at rest
  fi
  status=$?
  if (( status > 128 )); then continue; fi
  if (( status > 0 )); then break; fi
  case $word in
    watch) ends[$id]=$at pids[$id]=$rest ;;
    renew) [ -z "\${ends[$id]}" ] || ends[$id]=$at ;;
    leave) unset "ends[$id]" "pids[$id]" ;;
  esac
done
for id in "\${!ends[@]}"; do end "$id"; done
`;

export const SUPERVISOR_ARGV: readonly [string, ...string[]] = [
  '/bin/bash',
  '--noprofile',
  '--norc',
  '-c',
  SCRIPT,
  'signalbox-supervisor',
];
