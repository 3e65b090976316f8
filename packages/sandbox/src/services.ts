import { closeSync, realpathSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import {
  type CallEnd,
  isWithin,
  SandboxError,
  type Service,
  type ServiceRequest,
  type Services,
} from '@signalbox/core';
import { ownAccount } from './account.ts';
import { confinementArguments } from './bubblewrap/bubblewrap.ts';
import { dataKib, GATE, gatedArgv, ORDERS, REPORT, SECCOMP, STATUS } from './bubblewrap/init.ts';
import { mountsOf } from './bubblewrap/mounts-of.ts';
import { createNameGuard } from './direct/guard-names.ts';
import type { ExecutorOptions } from './executor-options.ts';
import { type CreateCgroup, findCgroups } from './limits/cgroup.ts';
import { type HeldService, holdService } from './limits/service-limits.ts';
import { type ProcessEnd, sendSignal, startProcess, type StartedProcess } from './process.ts';
import { prepareState } from './state-folder.ts';
import { createSupervisor, type GuardedProcess } from './supervisor/supervisor.ts';
import { type WatchedService, watchService } from './watch-service.ts';

/** Time between the end of its input, TERM and KILL, if the options set none. */
const GRACE_MS = 2000;

/** A machine that takes longer to confine a program is in trouble. */
const SET_UP_MS = 30_000;

/**
 * Waits until the limits hold, then drops the descriptors bash was given for that and for bubblewrap. Core
 * files are disabled: a server's would land in the workspace.
 */
const ENTER = `
echo ready >&${REPORT}
read -r <&${ORDERS} || exit 125
exec ${REPORT}>&- ${ORDERS}>&- ${STATUS}>&- ${SECCOMP}>&-
limit() { ulimit "$1" "$2" 2>/dev/null || [ "$(ulimit -H "$1")" -lt "$2" ] || exit 125; }
limit -c 0; limit -u "$1"; limit -d "$2"
cd -- "$3" || exit 126
shift 3
exec "$@"
`;

/**
 * Starts long-lived programs such as MCP servers. They are confined like commands (a network of their own or
 * the machine's, homes and secrets masked, no capabilities, system calls filtered), but run on the workspace
 * itself and without a time limit.
 *
 * Denied paths are masked once, when the program starts. A program that may write to the workspace is {@link
 * watchService watched}.
 */
export function createServices(options: ExecutorOptions): Services {
  const { workspace } = options;
  const mounts = mountsOf(options);
  const guard = createNameGuard(options);
  const supervisor = createSupervisor();
  let groups: { readonly create: CreateCgroup | null } | null = null;

  return {
    async start(request) {
      const cwd = folderOf(workspace, request);
      // Before the mounts: files created later are not covered by them.
      const { workspace: sees, confined: isConfined } = request;
      const watch = sees === 'write' ? await watchService(guard, { ...options, confined: isConfined }) : null;
      try {
        const begun = isConfined ? await confined(request, cwd) : unconfined(request, cwd);
        return serviceOf(begun, options, watch?.(heldOf(begun)) ?? null);
      } catch (cause) {
        // Otherwise every later call could make the changes agreed for any call.
        await watch?.(NO_PROCESS).endStart();
        throw cause;
      }
    },
  };

  /** Found on first use, since a trial costs system calls. */
  function findGroups(): CreateCgroup | null {
    if (groups !== null) return groups.create;
    groups = { create: findCgroups() };
    supervisor.tidy(groups.create?.prefixes ?? []);
    return groups.create;
  }

  async function confined(request: ServiceRequest, cwd: string): Promise<Begun> {
    const state = prepareState(options);
    const namespaces = { network: request.network ? 'on' : 'off' } as const;
    const access = request.workspace === 'write' ? 'write' : 'read';
    const seen = await mounts({ workspace: access, ...namespaces });
    const argv = [
      state.bubblewrap(),
      ...seen,
      ...(request.workspace === 'none' ? ['--tmpfs', workspace, '--remount-ro', workspace] : []),
      ...confinementArguments(ownAccount(), namespaces),
      '--',
    ];
    const seccomp = state.openFilter();
    state.close();
    const guarded = startConfined(request, cwd, { argv, seccomp });
    const held = await untilHeld(guarded.started, {
      limits: request.limits,
      createGroup: findGroups(),
      clock: options.clock,
    });
    return { guarded, held };
  }

  /** @param seccomp Descriptor of a seccomp filter; closed here. */
  function startConfined(
    request: ServiceRequest,
    cwd: string,
    { argv, seccomp }: Readonly<{ argv: readonly string[]; seccomp: number }>,
  ): GuardedProcess {
    try {
      const start = (): StartedProcess =>
        startProcess({
          argv: gatedArgv([
            ...argv,
            '/bin/bash',
            '--noprofile',
            '--norc',
            '-c',
            ENTER,
            'signalbox',
            String(request.limits.processes),
            dataKib(request.limits.memoryBytes),
            request.workspace === 'none' ? '/' : cwd,
            ...request.argv,
          ]),
          cwd: '/',
          env: environmentOf(request, options),
          descriptors: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', seccomp, 'pipe'],
        });
      const guarded = supervisor.guard(start);
      const gate = guarded.started.streams[GATE];
      gate?.on('error', () => undefined);
      if (gate instanceof Writable) gate.end('go\n');
      return guarded;
    } finally {
      closeSync(seccomp);
    }
  }

  function unconfined(request: ServiceRequest, cwd: string): Begun {
    const env = environmentOf(request, options);
    const start = (): StartedProcess =>
      startProcess({ argv: request.argv, cwd, env, descriptors: ['pipe', 'pipe', 'pipe'] });
    return { guarded: supervisor.guard(start), held: null };
  }
}

type Begun = { readonly guarded: GuardedProcess; readonly held: HeldService | null };
type Held = Parameters<Awaited<ReturnType<typeof watchService>>>[0];

const NO_PROCESS: Held = { pid: undefined, isEnded: () => true, kill: () => undefined };

function heldOf({ guarded: { started } }: Begun): Held {
  const { pid } = started;
  let isEnded = false;
  void started.ended.finally(() => {
    isEnded = true;
  });
  return {
    pid,
    isEnded: () => isEnded,
    kill: () => void (pid !== undefined && sendSignal(-pid, 'SIGKILL')),
  };
}

/**
 * Lets a program begin once its limits hold. Returns null when it ended earlier.
 *
 * @throws {SandboxError} when the limits can't be applied; the program has not begun
 */
async function untilHeld(
  started: StartedProcess,
  options: Omit<Parameters<typeof holdService>[1], 'kill'>,
): Promise<HeldService | null> {
  const { pid, streams } = started;
  if (pid === undefined) return null;
  const kill = (): void => void sendSignal(-pid, 'SIGKILL');
  const cancel = options.clock.timer(SET_UP_MS, kill);
  const [report, orders] = [streams[REPORT], streams[ORDERS]];
  for (const stream of [report, orders]) stream?.on('error', () => undefined);
  const isReady = await Promise.race([
    new Promise<true>((resolve) => report?.once('data', () => resolve(true))),
    started.ended.then(() => false),
  ]);
  cancel();
  if (!isReady) return null;
  try {
    const held = await holdService(pid, { ...options, kill });
    if (orders instanceof Writable) orders.end('begin\n');
    return held;
  } catch (cause) {
    kill();
    throw new SandboxError('Cannot start a program: its limits cannot be applied', { cause });
  }
}

function environmentOf(
  { env }: ServiceRequest,
  { path, home, certificates }: ExecutorOptions,
): Record<string, string> {
  return { PATH: path, HOME: home, LANG: 'C.UTF-8', ...certificates, ...env };
}

/** @throws {SandboxError} */
function folderOf(workspace: string, { cwd }: ServiceRequest): string {
  let real = '';
  try {
    real = realpathSync(`${workspace}/${cwd}`);
  } catch {
    throw new SandboxError(`Cannot start a program in "${cwd}": there is no such folder`);
  }
  if (isWithin(real, workspace)) return real;
  throw new SandboxError(`Cannot start a program in "${cwd}": it leads out of the workspace`);
}

function serviceOf(
  { guarded: { started, letGo }, held }: Begun,
  { clock, graceMs = GRACE_MS }: Pick<ExecutorOptions, 'clock' | 'graceMs'>,
  watch: WatchedService | null,
): Service {
  const [input, output, error, , , status] = started.streams;
  for (const stream of [input, output, error, status]) stream?.on('error', () => undefined);
  // Bubblewrap's status pipe; unread, it would block bubblewrap.
  if (status instanceof Readable) status.resume();
  const ended = started.ended.then((how) => {
    letGo();
    const words = held?.isOverMemory() === true ? `${inWords(how)}: ${OVER_MEMORY}` : inWords(how);
    held?.letGo();
    return words;
  });
  let stopping: Promise<readonly string[]> | null = null;

  async function end(): Promise<readonly string[]> {
    // The program ends even if its files can't be read.
    const endCall: CallEnd =
      watch === null
        ? async () => []
        : await watch.beginEnd().catch(() => async () => ['the files it left could not be checked']);
    if (input instanceof Writable) input.end();
    const cancels = [
      clock.timer(graceMs, () => signal('SIGTERM')),
      clock.timer(2 * graceMs, () => signal('SIGKILL')),
    ];
    await started.ended;
    // Kills child processes it left behind.
    signal('SIGKILL');
    for (const cancel of cancels) cancel();
    return endCall();
  }

  function signal(name: 'SIGTERM' | 'SIGKILL'): void {
    if (started.pid !== undefined) sendSignal(-started.pid, name);
  }

  return {
    watch,
    write(text) {
      if (input instanceof Writable && !input.destroyed) input.write(text);
    },
    listen(onOutput, onError) {
      if (output instanceof Readable) output.on('data', onOutput);
      if (error instanceof Readable) error.on('data', onError);
    },
    ended,
    stop: () => (stopping ??= end()),
  };
}

const OVER_MEMORY = 'it used more memory than allowed (max_memory_mb)';

function inWords(end: ProcessEnd): string {
  switch (end.kind) {
    case 'exited':
      return `exited with code ${end.exitCode}`;
    case 'signalled':
      return `was killed by ${end.signal}`;
    case 'failed':
      return `could not be started: ${end.cause.message}`;
  }
}
