import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';

/** A compiler ignores the first signal; a server puts its files in order. */
const KILLED_AFTER_S = 5;

/**
 * Starts a shell line in a process group of its own. It ends, too, when this process is killed and can end nothing: the
 * far end of a pipe, which nothing is written to, is then closed.
 *
 * @param line one program, with `exec`: the leader of the group is signalled
 */
export function spawnTied(line: string, options: SpawnOptions): ChildProcess {
  const wait = `for _ in $(seq ${KILLED_AFTER_S * 5}); do kill -0 $$ || exit; sleep 0.2; done`;
  const watcher = `(read -r _ <&3; kill -TERM $$ || exit; ${wait}; kill -KILL -$$) >/dev/null 2>&1 &`;
  const child = spawn(`${watcher} exec 3<&-; ${line}`, {
    ...options,
    shell: true,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  // `close` waits for this end, and the watcher for it.
  child.once('exit', () => void child.stdio[3]?.destroy());
  return child;
}
