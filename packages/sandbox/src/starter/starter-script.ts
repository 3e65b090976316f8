/** Pipes created at once, as that needs a program to be started. */
export const PIPES_AT_ONCE = 48;

/**
 * Starts processes for a larger one. A fork copies the page tables of the parent, so it costs more the larger
 * the parent is; this process stays below 5 MB. It reads a line per request and answers with another:
 *
 *     start ID ARGV 0 1 2 3 4 5 6   →  started ID PID, refused ID
 *     reap ID PID                   →  ended ID STATUS
 *     pipes BATCH                   →  piped BATCH, also where it could not make them all
 *
 * Numbers after an id are descriptors of its parent, opened through `/proc`: a file with the arguments, each
 * followed by a NUL, then those that become descriptors 0 to 6. A process leads its own group and has no
 * environment, no other descriptors, and `/` as its folder. It begins when it has read a line from descriptor
 * 4, and not at all if that ends first. Unknown inherited descriptors (Node.js passes on high ones) are closed
 * at the start.
 *
 * It is the parent, so processes that die with their parent die with it, and it ends when its input ends. Use
 * `reap` only for a dead process: a live one would block the next start.
 */
const SCRIPT = `
for path in /proc/self/fd/*; do
  case \${path##*/} in 0|1|2|'*') ;; *) eval "exec \${path##*/}>&-" ;; esac
done
set -f -m
from=/proc/$PPID/fd
folder=$1

start() {
  local id=$1 pid= argv
  mapfile -d '' -t argv <"$from/$2" || return
  {
    (read -r go <&4 && exec -c -- "\${argv[@]}") &
    pid=$!
  } 0<"$from/$3" 1>"$from/$4" 2>"$from/$5" 3>"$from/$6" 4<"$from/$7" 5>"$from/$8" 6<"$from/$9"
  [ -n "$pid" ] && echo "started $id $pid"
}

while read -r word id rest; do
  case $word in
    start) start "$id" $rest || echo "refused $id" ;;
    reap) wait "$rest"; echo "ended $id $?" ;;
    pipes) command -p mkfifo -m 600 "$folder/$id"-{1..${PIPES_AT_ONCE}}; echo "piped $id" ;;
  esac
done
`;

/** @param folder Where it creates pipes. */
export function starterArgv(folder: string): readonly [string, ...string[]] {
  return ['/bin/bash', '--noprofile', '--norc', '-c', SCRIPT, 'signalbox-starter', folder];
}
