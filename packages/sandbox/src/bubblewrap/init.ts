import { constants } from 'node:os';
import { type Program, UsageError } from '@signalbox/core';
import type { BoundedLimits } from '../limits/bounded-limits.ts';

/** Descriptors of a command's outermost processes. The command inherits none of them. */
export const REPORT = 3;
export const ORDERS = 4;
export const STATUS = 5;
export const SECCOMP = 6;
export const GATE = 7;

/**
 * The command's parent, inside the confinement: closes inherited descriptors, then waits for its order.
 *
 * It prints `ready` when it waits, which may be long before there is a command; `begun` just before the command
 * starts, so that a failed set-up is never mistaken for a failed command; and `status N` when it has ended.
 * Then it waits again, so that the tree's usage can be read before the tree is gone. Bash's message about a
 * killed child in between distinguishes a signal from an exit code of 128+N.
 *
 * An incomplete order, whose sender has died, starts nothing.
 */
const SCRIPT = `
trap : TERM INT HUP
for path in /proc/self/fd/*; do
  fd=\${path##*/}
  case $fd in 0|1|2|${REPORT}|${ORDERS}|'*') ;; *) eval "exec $fd>&-" ;; esac
done
exec 9>&2 2>&${REPORT}
echo ready >&${REPORT}
read -r count <&${ORDERS} && mapfile -d '' -t -n "$count" -u ${ORDERS} order || exit 125
[ "\${#order[@]}" = "$count" ] || exit 125
set -- "\${order[@]}"
unset path fd count order
cd -- "$1" || exit 125
[ "$2" = input ] || exec 0</dev/null
shift 2
while [ "$1" != -- ]; do
  ulimit "$1" "$2" 2>/dev/null || [ "$(ulimit -H "$1")" -lt "$2" ] || { echo "cannot limit $1" >&2; exit 125; }
  shift 2
done
shift
unset OLDPWD
while [ "$1" != -- ]; do
  export "$1" || exit 125
  shift
done
shift
echo begun >&${REPORT}
"$@" 2>&9 9>&- ${REPORT}>&- ${ORDERS}<&-
echo "status $?" >&${REPORT}
read -r <&${ORDERS}
`;

const BASH = ['/bin/bash', '--noprofile', '--norc', '-c'] as const;

/**
 * The arguments of a sandbox init that waits for its order.
 *
 * @param prelude What it runs first.
 */
export function initArgv(prelude = ''): readonly [string, ...string[]] {
  return [...BASH, `${prelude}${SCRIPT}`, 'signalbox'];
}

/**
 * A program that begins when told to on {@link GATE}, once the supervisor watches its start. If we die earlier,
 * it doesn't begin.
 */
export function gatedArgv(argv: readonly string[]): readonly [string, ...string[]] {
  return ['/bin/sh', '-c', `read -r go <&${GATE} && exec "$@" ${GATE}<&-`, 'signalbox', ...argv];
}

export type Order = {
  readonly program: Program;
  /** Absolute, as the command sees it. */
  readonly cwd: string;
  /** The complete environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly onTerminal: boolean;
  /** Whether descriptor 0 is inherited by the command; otherwise its input is empty. */
  readonly hasInput: boolean;
  /** `processes` is null outside a user namespace, where all of the user's processes would count. */
  readonly limits: Omit<BoundedLimits, 'processes'> & { readonly processes: number | null };
};

/**
 * Serialises an order for the sandbox init: the number of fields on a line, then each field followed by a NUL.
 *
 * @throws {UsageError} for a NUL in the program, which would change the order
 */
export function toOrderText(order: Order): string {
  const fields = [
    order.cwd,
    order.hasInput ? 'input' : 'none',
    ...limitArguments(order.limits),
    '--',
    ...Object.entries(order.env).map(([name, value]) => `${name}=${value}`),
    '--',
    ...programArgv(order),
  ];
  if (fields.some((field) => field.includes('\0'))) {
    throw new UsageError('nul-in-command', 'Cannot run a command that holds a NUL');
  }
  return `${fields.length}\n${fields.map((field) => `${field}\0`).join('')}`;
}

/** Runs exactly what was judged. */
function programArgv({ program, onTerminal }: Order): readonly string[] {
  if (program.kind === 'argv') return program.argv;
  return onTerminal ? onTerminalArgv([...BASH, program.line]) : [...BASH, program.line];
}

/** `script` of util-linux provides the terminal, passes on the exit code and writes no file. */
function onTerminalArgv(argv: readonly string[]): readonly string[] {
  const quoted = argv.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  return ['/usr/bin/script', '--quiet', '--return', '--flush', '--command', `exec ${quoted}`, '/dev/null'];
}

/**
 * `ulimit` options. The memory limit is a per-process backstop far above the real limit, since it counts
 * reserved memory: Node.js needs 1 GiB of it to start.
 */
function limitArguments(limits: Order['limits']): string[] {
  return [
    ['-c', '0'],
    limits.processes === null ? [] : ['-u', String(limits.processes)],
    ['-n', String(limits.openFiles)],
    ['-f', kib(limits.fileBytes)],
    ['-d', dataKib(limits.memoryBytes)],
  ].flat();
}

/** The memory in KiB that a process with this memory limit may reserve. */
export function dataKib(memoryBytes: number): string {
  return kib(memoryBytes + RESERVED_BYTES);
}

const RESERVED_BYTES = 3 * 1024 ** 3;

function kib(bytes: number): string {
  return String(Math.ceil(bytes / 1024));
}

export type InitReport =
  | { readonly kind: 'not-ready'; readonly output: string }
  /** It waits for its order, or could not execute it. */
  | { readonly kind: 'waiting'; readonly output: string }
  | { readonly kind: 'running' }
  | { readonly kind: 'exited'; readonly exitCode: number }
  | { readonly kind: 'signalled'; readonly signal: string };

/** Parses the report so far. */
export function readReport(text: string): InitReport {
  const lines = text.split('\n').slice(0, -1);
  const ready = lines.indexOf('ready');
  if (ready < 0) return { kind: 'not-ready', output: text.trim() };
  const begun = lines.indexOf('begun', ready);
  if (begun < 0) return { kind: 'waiting', output: lines.slice(ready + 1).join('\n') };
  const last = lines.at(-1) ?? '';
  const status = /^status (\d+)$/.exec(last)?.[1];
  if (status === undefined) return { kind: 'running' };
  const exitCode = Number(status);
  const output = lines.slice(begun + 1, -1);
  return output.length > 0 && exitCode > 128 ? toSignalled(exitCode - 128) : { kind: 'exited', exitCode };
}

function toSignalled(number: number): InitReport {
  const name = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  return { kind: 'signalled', signal: name ?? `SIG${number}` };
}
