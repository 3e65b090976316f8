import { constants } from 'node:os';
import type { ExecutionLimits, Program } from '@signalbox/core';

/** Descriptors of a command's outermost processes; none of them reaches the command. */
export const REPORT = 3;
export const ORDERS = 4;
export const STATUS = 5;
export const SECCOMP = 6;

/**
 * The command's parent, inside the confinement: closes inherited descriptors, sets limits, waits, reports.
 *
 * It says `ready` when the command is about to start, so that a failed set-up is never taken for a failed
 * command, and `status N` when it has ended; then it waits, so that what the tree used can be read before
 * the tree is gone. What bash says of a killed child in between tells a signal from an exit code of 128+N.
 */
const SCRIPT = `
trap : TERM INT HUP
for path in /proc/self/fd/*; do
  fd=\${path##*/}
  case $fd in 0|1|2|${REPORT}|${ORDERS}|'*') ;; *) eval "exec $fd>&-" ;; esac
done
exec 9>&2 2>&${REPORT}
while [ "$1" != -- ]; do
  ulimit "$1" "$2" 2>/dev/null || [ "$(ulimit -H "$1")" -lt "$2" ] || { echo "cannot limit $1" >&2; exit 125; }
  shift 2
done
shift
echo ready >&${REPORT}
read -r order <&${ORDERS} || exit 125
"$@" 2>&9 9>&- ${REPORT}>&- ${ORDERS}<&-
echo "status $?" >&${REPORT}
read -r order <&${ORDERS}
`;

const BASH = ['/bin/bash', '--noprofile', '--norc', '-c'] as const;

/** Arguments that run a program under the keeper. */
export function keeperArgv(program: Program, limits: KeptLimits): readonly [string, ...string[]] {
  return [...BASH, SCRIPT, 'signalbox', ...limitArguments(limits), '--', ...programArgv(program)];
}

/** `processes` is null outside a user namespace, where all of the user's processes would count. */
type KeptLimits = Omit<ExecutionLimits, 'processes'> & { readonly processes: number | null };

/** Exactly what was judged is what runs. */
function programArgv(program: Program): readonly string[] {
  return program.kind === 'shell' ? [...BASH, program.line] : program.argv;
}

/**
 * `ulimit` options. Memory is a backstop per process, far above the limit itself, since it counts what is
 * reserved: Node.js needs 1 GiB of it to start.
 */
function limitArguments(limits: KeptLimits): string[] {
  const kib = (bytes: number): string => String(Math.ceil(bytes / 1024));
  return [
    ['-c', '0'],
    limits.processes === null ? [] : ['-u', String(limits.processes)],
    ['-n', String(limits.openFiles)],
    ['-f', kib(limits.fileBytes)],
    ['-d', kib(limits.memoryBytes + RESERVED_BYTES)],
  ].flat();
}

const RESERVED_BYTES = 3 * 1024 ** 3;

export type KeeperReport =
  | { readonly kind: 'not-started'; readonly said: string }
  | { readonly kind: 'running' }
  | { readonly kind: 'exited'; readonly exitCode: number }
  | { readonly kind: 'signalled'; readonly signal: string };

/** What the keeper's lines say so far. */
export function readReport(text: string): KeeperReport {
  const lines = text.split('\n').slice(0, -1);
  const ready = lines.indexOf('ready');
  if (ready < 0) return { kind: 'not-started', said: text.trim() };
  const last = lines.at(-1) ?? '';
  const status = /^status (\d+)$/.exec(last)?.[1];
  if (status === undefined) return { kind: 'running' };
  const exitCode = Number(status);
  const said = lines.slice(ready + 1, -1);
  return said.length > 0 && exitCode > 128 ? toSignalled(exitCode - 128) : { kind: 'exited', exitCode };
}

function toSignalled(number: number): KeeperReport {
  const name = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  return { kind: 'signalled', signal: name ?? `SIG${number}` };
}
