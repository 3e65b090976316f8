/** Lines read between two checks, so that other lines can't delay a kill. */
const MAX_READ = 1000;

/** Attempts to remove a folder, 50 ms apart. */
const MAX_ATTEMPTS = 60;

/**
 * Reads which processes to kill and when, one per line, and kills them. When the input ends, we are dead, and
 * it kills all.
 *
 *     watch ID AT_MS PID:START …     renew ID AT_MS     leave ID     tidy PREFIX …
 *
 * It prints `killed ID UNHEARD_MS` before a kill, and `left ID` for processes left alive.
 *
 * It kills only when no input is pending: on a busy machine a renewal may be waiting to be read. A read that
 * ends mid-line keeps the part. A process is killed only if its start time matches, as pids are reused. It
 * checks at least once a second, since a machine that slept doesn't wake it in time.
 *
 * Finally it removes the empty folders with the given prefixes: control groups.
 */
const SCRIPT = `
set -f
trap '' INT TERM HUP QUIT TSTP PIPE
declare -A ends pids heard

now() {
  local uptime rest
  read -r uptime rest </proc/uptime
  now=$(( 10#\${uptime/./} * 10 ))
}

# Whether a pid still belongs to the same process. A group outlives its leader and keeps the number.
is_same() {
  local stat
  { read -r -d '' stat <"/proc/\${1#-}/stat"; } 2>/dev/null
  [ -n "$stat" ] || return 0
  set -- "$2" \${stat##*) }
  [ "$1" = "\${21}" ]
}

end() {
  local one
  echo "killed $1 $(( now - heard[$1] ))"
  for one in \${pids[$1]}; do
    if is_same "\${one%:*}" "\${one#*:}"; then kill -KILL -- "\${one%:*}" 2>/dev/null; fi
  done
  forget "$1"
}

forget() { unset "ends[$1]" "pids[$1]" "heard[$1]"; }

end_expired() {
  local id
  now
  for id in "\${!ends[@]}"; do
    if (( ends[$id] <= now )); then end "$id"; fi
  done
}

# How long to wait for input in milliseconds: until the first term ends, 20 to 1000.
patience() {
  local id
  now
  wait=1000
  for id in "\${!ends[@]}"; do
    if (( ends[$id] - now < wait )); then wait=$(( ends[$id] - now )); fi
  done
  if (( wait < 20 )); then wait=20; fi
}

obey() {
  local word=$1 id=$2 at=$3
  now
  case $word in
    watch) shift 3; ends[$id]=$at heard[$id]=$now pids[$id]=$* ;;
    renew) if [ -n "\${ends[$id]}" ]; then ends[$id]=$at heard[$id]=$now; fi ;;
    tidy) shift; prefixes+=("$@") ;;
    leave) if [ -n "\${ends[$id]}" ]; then forget "$id"; echo "left $id"; fi ;;
  esac
}

# The kernel releases dead processes with a delay.
tidy() {
  local try prefix folder left
  set +f
  for try in {1..${MAX_ATTEMPTS}}; do
    left=()
    for prefix in "\${prefixes[@]}"; do
      for folder in "$prefix"*; do if [ -d "$folder" ]; then left+=("$folder"); fi; done
    done
    if (( \${#left[@]} == 0 )); then return; fi
    command -p rmdir -- "\${left[@]}" 2>/dev/null
    command -p sleep 0.05
  done
}

line= read=0 prefixes=()
while :; do
  if (( \${#ends[@]} == 0 )); then IFS= read -r piece
  else
    patience
    printf -v seconds '%d.%03d' $(( wait / 1000 )) $(( wait % 1000 ))
    IFS= read -r -t "$seconds" piece
  fi
  status=$?
  line+=$piece
  if (( status > 128 || ++read > ${MAX_READ} )); then end_expired; read=0; fi
  if (( status > 128 )); then continue; fi
  if (( status > 0 )); then break; fi
  obey $line
  line=
done
now
for id in "\${!ends[@]}"; do end "$id"; done
tidy
`;

export const SUPERVISOR_ARGV: readonly [string, ...string[]] = [
  '/bin/bash',
  '--noprofile',
  '--norc',
  '-c',
  SCRIPT,
  'signalbox-supervisor',
];
