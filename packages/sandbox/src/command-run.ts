import { Readable, type Writable } from 'node:stream';
import {
  type Clock,
  type Execution,
  type ExecutionHooks,
  type ExecutionRequest,
  type Isolation,
  SandboxError,
} from '@signalbox/core';
import type { Cgroup, CreateCgroup } from './cgroup.ts';
import { keeperArgv, type KeeperReport, ORDERS, readReport, REPORT, STATUS } from './keeper.ts';
import { createOutputStore } from './output-store.ts';
import type { OutputPipe } from './output-pipe.ts';
import { type ProcessEnd, startProcess, type StartedProcess } from './process.ts';
import { treeOf } from './process-tree.ts';
import { createTree } from './tree.ts';
import { type UsageWatch, watchUsage } from './usage.ts';

type Ended = Execution['ended'];

export type RunOptions = {
  readonly clock: Clock;
  /** Between TERM and KILL. */
  readonly graceMs: number;
  /** Absolute folder for the full text of long output. */
  readonly spillFolder: string;
  /** Absolute, inside the workspace. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly isolation: Isolation;
  /** Puts what confines it before the keeper's argv; null runs that as it is. */
  readonly confine: ((argv: readonly string[]) => readonly [string, ...string[]]) | null;
  /** Descriptor of the filter of system calls, at its beginning; null when nothing filters them. */
  readonly seccomp: number | null;
  readonly openPipe: () => OutputPipe | null;
  /** Called with the id of the process we started, when the command is confined and has not begun. */
  readonly onConfined?: (pid: number) => void;
  /** Null where the system gives us none. */
  readonly createCgroup: CreateCgroup | null;
};

/** A tree without a pid namespace may have lost a process that hides: its output is waited for so long. */
const STRAY_OUTPUT_MS = 250;

/**
 * Leads one process tree from its start to its death.
 *
 *   starting ──ready──▶ running ──status──▶ ended ──▶ dead
 *      │                   └──timeout, limit, abort──▶ stopping ──grace──▶ killed ──▶ dead
 *      └──no `ready`──▶ SandboxError: the command has not begun
 *
 * It settles only when nothing of the tree lives any more.
 *
 * @throws {SandboxError} when the command could not be confined: nothing was run.
 */
export async function runCommand(
  request: ExecutionRequest,
  hooks: ExecutionHooks,
  options: RunOptions,
): Promise<Execution> {
  const { clock } = options;
  const startedAt = clock.now();
  const began = clock.monotonic();
  const { started, streams } = start(request, options);
  const output = [drain('stdout', streams[0]), drain('stderr', streams[1])] as const;
  const { report, end, interruption, usage } = await supervise(request, hooks, options, started);
  const giveUp = (): void => streams.forEach((stream) => stream.destroy());
  const cancel = options.confine === null ? clock.timer(STRAY_OUTPUT_MS, giveUp) : () => undefined;
  const [stdout, stderr] = await Promise.all(output);
  cancel();
  if (interruption === null && report.kind === 'not-started') {
    throw setUpFailure(end, `${report.said}\n${stderr.text}`);
  }
  return {
    ended: interruption ?? endingOf(report, end),
    stdout,
    stderr,
    startedAt,
    durationMs: clock.monotonic() - began,
    usage,
    isolation: options.isolation,
  };

  async function drain(name: 'stdout' | 'stderr', stream: Readable): Promise<Execution['stdout']> {
    const store = createOutputStore({
      spillFile: `${options.spillFolder}/${request.commandId}.${name}`,
      onText: (text) => hooks.onOutput(name, text),
    });
    try {
      // One chunk at a time: while it is stored, the pipe fills and the command waits.
      for await (const chunk of stream) await store.add(chunk as Buffer);
    } catch (cause) {
      // Cut off where somebody who left the tree held it open; another error is of who listens.
      if (!stream.destroyed) throw cause;
    }
    return store.end();
  }
}

type Started = { readonly started: StartedProcess; readonly streams: readonly [Readable, Readable] };

function start(request: ExecutionRequest, options: RunOptions): Started {
  const confined = options.confine !== null;
  const processes = confined ? request.limits.processes : null;
  const keeper = keeperArgv(request.program, { ...request.limits, processes });
  const [stdout, stderr] = [options.openPipe(), options.openPipe()];
  const started = startProcess({
    argv: options.confine === null ? keeper : options.confine(keeper),
    cwd: confined ? '/' : options.cwd,
    env: options.env,
    descriptors: [
      request.stdin === undefined ? 'ignore' : 'pipe',
      stdout?.writeEnd ?? 'pipe',
      stderr?.writeEnd ?? 'pipe',
      'pipe',
      'pipe',
      confined ? 'pipe' : 'ignore',
      options.seccomp ?? 'ignore',
    ],
  });
  for (const pipe of [stdout, stderr]) pipe?.closeWriteEnd();
  for (const descriptor of [0, ORDERS]) ignoreBrokenPipe(started.streams[descriptor]);
  if (request.stdin !== undefined) writableOf(started, 0)?.end(request.stdin);
  return {
    started,
    streams: [stdout?.reader ?? readableOf(started, 1), stderr?.reader ?? readableOf(started, 2)],
  };
}

type Supervised = {
  readonly report: KeeperReport;
  readonly end: ProcessEnd;
  readonly interruption: Ended | null;
  readonly usage: Execution['usage'];
};

async function supervise(
  request: ExecutionRequest,
  hooks: ExecutionHooks,
  options: RunOptions,
  started: StartedProcess,
): Promise<Supervised> {
  const { clock } = options;
  const { limits, commandId } = request;
  const tree = createTree({ started, commandId, confined: options.confine !== null });
  let interruption: Ended | null = null;
  let report: KeeperReport = { kind: 'not-started', said: '' };
  let watch: UsageWatch | null = null;
  let group: Cgroup | null = null;
  const timers: (() => void)[] = [];

  const stop = (why: Ended, graceMs: number): void => {
    if (interruption !== null) return;
    interruption = why;
    if (graceMs === 0) return tree.kill();
    // Killed this early, bubblewrap may leave a process behind that it has told us nothing of, and that holds
    // our pipes open. The command has not begun: once it is ready it is killed instead of started.
    if (report.kind !== 'not-started') tree.terminate();
    timers.push(clock.timer(graceMs, () => tree.kill()));
  };
  const onAbort = (): void => stop({ kind: 'stopped' }, options.graceMs);
  const order = (line: string): void => void writableOf(started, ORDERS)?.write(line);

  const onReport = (next: KeeperReport): void => {
    const before = report.kind;
    report = next;
    if (before === 'not-started' && next.kind !== 'not-started')
      void tree.root.then(onReady).catch(onUnlimited);
    if (next.kind === 'exited' || next.kind === 'signalled') {
      watch?.look();
      order('leave\n');
    }
  };
  const onReady = async (root: number | null): Promise<void> => {
    if (root === null || started.pid === undefined || interruption !== null) return tree.kill();
    options.onConfined?.(started.pid);
    group = options.createCgroup?.(limits) ?? null;
    // The keeper, which starts the command when it is told to.
    await group?.attach(treeOf(root).at(-1) ?? root);
    if (interruption !== null) return;
    watch = watchUsage(root, {
      clock,
      memoryBytes: limits.memoryBytes,
      group,
      onMemoryExceeded: () => stop({ kind: 'limited', limit: 'memory' }, 0),
    });
    hooks.onStart?.(root);
    order('go\n');
  };
  const onUnlimited = (cause: unknown): void => {
    report = { kind: 'not-started', said: String(cause) };
    tree.kill();
  };

  readLines(started, REPORT, (text) => onReport(readReport(text)));
  if (options.confine !== null) readLines(started, STATUS, tree.onStatus);
  timers.push(
    clock.timer(limits.timeoutMs, () => {
      stop({ kind: 'timed_out', timeoutMs: limits.timeoutMs }, options.graceMs);
    }),
  );
  hooks.signal.addEventListener('abort', onAbort, { once: true });
  if (hooks.signal.aborted) onAbort();

  const end = await started.ended;
  await tree.dead();
  for (const cancel of timers) cancel();
  hooks.signal.removeEventListener('abort', onAbort);
  const usage = (watch as UsageWatch | null)?.end() ?? { cpuMs: null, peakMemoryBytes: null };
  // Nobody needs to wait for the kernel's tidying.
  void (group as Cgroup | null)?.remove();
  return { report, end, interruption, usage };
}

function endingOf(report: KeeperReport, end: ProcessEnd): Ended {
  if (report.kind === 'signalled' && report.signal === 'SIGXFSZ') {
    return { kind: 'limited', limit: 'file size' };
  }
  if (report.kind === 'exited' || report.kind === 'signalled') return report;
  // The keeper itself was killed: by the command, or from outside.
  return end.kind === 'signalled' ? end : { kind: 'signalled', signal: 'SIGKILL' };
}

function setUpFailure(end: ProcessEnd, said: string): SandboxError {
  const why = said.split('\n').filter((line) => line.trim() !== '');
  return new SandboxError('Cannot run the command: its confinement could not be set up', {
    ...(end.kind === 'failed' ? { cause: end.cause } : {}),
    why: end.kind === 'failed' ? [end.cause.message, ...why] : why,
    next: ['signalbox doctor'],
  });
}

/** Calls back with all text so far, whenever a line of it is complete. */
function readLines(started: StartedProcess, descriptor: number, onText: (text: string) => void): void {
  let text = '';
  const stream = readableOf(started, descriptor);
  stream.setEncoding('latin1');
  stream.on('error', () => undefined);
  stream.on('data', (chunk: string) => {
    // What is longer than this is not of the keeper.
    if (text.length < 65_536) text += chunk;
    onText(text);
  });
}

function readableOf(started: StartedProcess, descriptor: number): Readable {
  const stream = started.streams[descriptor];
  if (stream !== null && stream !== undefined && 'read' in stream) return stream;
  return Readable.from([]);
}

function writableOf(started: StartedProcess, descriptor: number): Writable | null {
  const stream = started.streams[descriptor];
  return stream !== null && stream !== undefined && 'write' in stream ? stream : null;
}

/** Who reads may end before all is read. */
function ignoreBrokenPipe(stream: Readable | Writable | null | undefined): void {
  stream?.on('error', () => undefined);
}
