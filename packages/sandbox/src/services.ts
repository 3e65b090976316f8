import { closeSync, realpathSync } from 'node:fs';
import { userInfo } from 'node:os';
import { Readable, Writable } from 'node:stream';
import { SandboxError, type Service, type ServiceRequest, type Services } from '@signalbox/core';
import { confinementArguments } from './bubblewrap.ts';
import type { ExecutorOptions } from './executor-options.ts';
import { isInside, type MountRequest } from './mounts.ts';
import { mountsOf } from './mounts-of.ts';
import { type ProcessEnd, sendSignal, startProcess, type StartedProcess } from './process.ts';
import { prepareState } from './state-folder.ts';
import { createSupervisor, type Guarded } from './supervisor/supervisor.ts';

/** Between the end of its input, TERM and KILL, where the options say nothing. */
const GRACE_MS = 2000;

/** Ends what bash was given for bubblewrap's sake; core files of a server would lie in the workspace. */
const ENTER = 'exec 3>&- 4>&- 5>&- 6>&-; ulimit -c 0; cd -- "$1" || exit 126; shift; exec "$@"';

/**
 * Starts programs that serve us: confined as commands are (a network of their own or the machine's, homes and secrets
 * masked, no capabilities, system calls filtered), but on the workspace itself and with no bound on time and memory.
 *
 * What is denied in the workspace is masked as it stands when the program starts.
 */
export function createServices(options: ExecutorOptions): Services {
  const { workspace } = options;
  const mounts = mountsOf(options);
  const supervisor = createSupervisor();

  return {
    async start(request) {
      const cwd = folderOf(workspace, request);
      return request.confined ? confined(request, cwd) : unconfined(request, cwd);
    },
  };

  function confined(request: ServiceRequest, cwd: string): Service {
    const state = prepareState(options);
    const namespaces = { network: request.network ? 'on' : 'off' } as const;
    const seen: MountRequest = {
      workspace: request.workspace === 'write' ? 'write' : 'read',
      ...namespaces,
    };
    const seccomp = state.openFilter();
    try {
      const start = (): StartedProcess =>
        startProcess({
          argv: [
            state.bubblewrap(),
            ...mounts(seen),
            ...(request.workspace === 'none' ? ['--tmpfs', workspace, '--remount-ro', workspace] : []),
            ...confinementArguments(userInfo(), namespaces),
            '--',
            '/bin/bash',
            '--noprofile',
            '--norc',
            '-c',
            ENTER,
            'signalbox',
            request.workspace === 'none' ? '/' : cwd,
            ...request.argv,
          ],
          cwd: '/',
          env: environmentOf(request, options),
          descriptors: ['pipe', 'pipe', 'pipe', 'ignore', 'ignore', 'pipe', seccomp],
        });
      return serviceOf(supervisor.guard(start), options);
    } finally {
      closeSync(seccomp);
    }
  }

  function unconfined(request: ServiceRequest, cwd: string): Service {
    const env = environmentOf(request, options);
    const start = (): StartedProcess =>
      startProcess({ argv: request.argv, cwd, env, descriptors: ['pipe', 'pipe', 'pipe'] });
    return serviceOf(supervisor.guard(start), options);
  }
}

function environmentOf({ env }: ServiceRequest, { path, home }: ExecutorOptions): Record<string, string> {
  return { PATH: path, HOME: home, LANG: 'C.UTF-8', ...env };
}

/** @throws {SandboxError} */
function folderOf(workspace: string, { cwd }: ServiceRequest): string {
  let real = '';
  try {
    real = realpathSync(`${workspace}/${cwd}`);
  } catch {
    throw new SandboxError(`Cannot start a program in "${cwd}": there is no such folder`);
  }
  if (isInside(real, workspace)) return real;
  throw new SandboxError(`Cannot start a program in "${cwd}": it leads out of the workspace`);
}

function serviceOf(
  { started, letGo }: Guarded,
  { clock, graceMs = GRACE_MS }: Pick<ExecutorOptions, 'clock' | 'graceMs'>,
): Service {
  const [input, output, error, , , status] = started.streams;
  for (const stream of [input, output, error, status]) stream?.on('error', () => undefined);
  // Bubblewrap's own words: unread they would hold it up.
  if (status instanceof Readable) status.resume();
  void started.ended.then(letGo);
  let stopping: Promise<void> | null = null;

  async function end(): Promise<void> {
    if (input instanceof Writable) input.end();
    const cancels = [
      clock.timer(graceMs, () => signal('SIGTERM')),
      clock.timer(2 * graceMs, () => signal('SIGKILL')),
    ];
    await started.ended;
    // What it started and left behind.
    signal('SIGKILL');
    for (const cancel of cancels) cancel();
  }

  function signal(name: 'SIGTERM' | 'SIGKILL'): void {
    if (started.pid !== undefined) sendSignal(-started.pid, name);
  }

  return {
    write(text) {
      if (input instanceof Writable && !input.destroyed) input.write(text);
    },
    listen(onOutput, onError) {
      if (output instanceof Readable) output.on('data', onOutput);
      if (error instanceof Readable) error.on('data', onError);
    },
    ended: started.ended.then(inWords),
    stop: () => (stopping ??= end()),
  };
}

function inWords(end: ProcessEnd): string {
  switch (end.kind) {
    case 'exited':
      return `exited with code ${end.exitCode}`;
    case 'signalled':
      return `was ended by ${end.signal}`;
    case 'failed':
      return `could not be started: ${end.cause.message}`;
  }
}
