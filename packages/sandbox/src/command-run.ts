import {
  type Execution,
  type ExecutionHooks,
  type LimitKey,
  type SandboxError,
  type UnavailableError,
} from '@signalbox/core';
import type { SandboxInit } from './bubblewrap/init-process.ts';
import { toOrderText } from './bubblewrap/init.ts';
import type { CommandRunOptions } from './layers/command-run-options.ts';
import { type ExecutionEnd, endingOf, setUpFailure, UNWATCHED, unrenewed } from './command-ending.ts';
import type { BoundedRequest } from './limits/bounded-limits.ts';
import { limitsReached } from './limits/limits-reached.ts';
import { attemptsIn, type ConnectionAttempts } from './network/connection-attempts.ts';
import { NOTHING_USED, type UsageReport, type UsageWatch, watchUsage } from './limits/usage.ts';
import { pruneOutputs } from './output/prune-outputs.ts';
import { readCommandReport } from './output/command-report.ts';
import type { OutputReader } from './output/output-reader.ts';
import { createOutputStore } from './output/output-store.ts';
import type { ProcessEnd } from './process.ts';
import { ENDLESS, type Watched } from './supervisor/supervisor.ts';

/**
 * A machine that takes longer to confine a command is in trouble. The command's own time limit starts when it
 * begins.
 */
const SET_UP_MS = 30_000;

/**
 * Delay before the next sandbox is prepared, while the command's own processes run and we mostly wait. Later it would
 * slow down the commit, and would not be ready for a command that follows at once.
 */
const AFTER_BEGIN_MS = 5;

/**
 * Attempts at a set-up. Others work in the same folders, so a path that is to be hidden may be gone by the time
 * it is mounted. A failed set-up has run nothing and can be repeated.
 */
const SET_UPS = 5;

/** How long to wait for output. Without a pid namespace a hidden process may keep the pipe open. */
const STRAY_OUTPUT_MS = 250;

/**
 * Runs one process tree from its start to its death.
 *
 *   starting ──ready──▶ waiting ──begun──▶ running ──status──▶ ended ──▶ dead
 *      │                   │                  └──timeout, limit, abort──▶ stopping ──grace──▶ killed ──▶ dead
 *      └───────────────────┴──no `begun`──▶ SandboxError: the command has not begun
 *
 * Settles only when no process of the tree is alive.
 *
 * @throws {SandboxError} when the command could not be confined; nothing was run
 */
export async function runCommand(
  request: BoundedRequest,
  hooks: ExecutionHooks,
  options: CommandRunOptions,
): Promise<Execution> {
  for (let left = SET_UPS - 1; ; left--) {
    const tried = await tryCommand(request, hooks, options);
    if ('ended' in tried) return tried;
    if (left === 0 || !tried.mayPass || hooks.signal.aborted) throw tried.failure;
  }
}

type NotBegun = {
  readonly failure: SandboxError | UnavailableError;
  /** Whether another set-up may succeed. */
  readonly mayPass: boolean;
};

async function tryCommand(
  request: BoundedRequest,
  hooks: ExecutionHooks,
  options: CommandRunOptions,
): Promise<Execution | NotBegun> {
  const { clock, spillFolder, outputsKept } = options;
  const startedAt = clock.now();
  const began = clock.monotonic();
  const order = orderOf(request, options);
  const init = await options.takeInit();
  // Nothing it starts prints before it has its order, so earlier output says why the set-up failed.
  let isStarted = false;
  const onStart = (pid: number): void => {
    isStarted = true;
    hooks.onStart?.(pid);
  };
  const output = [drain('stdout', init.output[0]), drain('stderr', init.output[1])] as const;
  const { end, interruption, used, attempts, commandReport } = await supervise(
    request,
    { ...hooks, onStart },
    { ...options, init, order },
  );
  const report = init.report();
  const giveUp = (): void => init.output.forEach((stream) => stream.giveUp());
  const cancel = options.confined ? () => undefined : clock.timer(STRAY_OUTPUT_MS, giveUp);
  const [stdout, stderr] = await Promise.all(output);
  cancel();
  if ((stdout.spillFile ?? stderr.spillFile) !== undefined) await pruneOutputs(spillFolder, outputsKept);
  if (interruption === null && 'output' in report) {
    const failure = setUpFailure(end, `${report.output}\n${stderr.text}`);
    return { failure, mayPass: report.kind === 'not-ready' && end.kind !== 'signalled' };
  }
  const ended = interruption ?? endingOf(report, end);
  const durationMs = clock.monotonic() - began;
  const written = options.written?.() ?? null;
  const { usage, ...held } = used;
  const isFull = written?.isFull ?? null;
  const reached = limitsReached({
    ...held,
    limits: request.limits,
    ended,
    stderr: stderr.text,
    durationMs,
    isFull,
    usage: { ...usage, writtenBytes: written?.bytes ?? usage.writtenBytes ?? null },
  });
  return {
    ended,
    stdout,
    stderr,
    startedAt,
    durationMs,
    usage: written === null ? usage : { ...usage, writtenBytes: written.bytes },
    isolation: options.isolation,
    ...(attempts === null ? {} : { connectionAttempts: attempts }),
    ...(commandReport === null ? {} : { report: commandReport }),
    ...(reached.length === 0 ? {} : { limitsReached: reached }),
  };

  async function drain(name: 'stdout' | 'stderr', stream: OutputReader): Promise<Execution['stdout']> {
    const store = createOutputStore({
      spillFile: `${spillFolder}/${request.commandId}.${name}`,
      onText(text) {
        if (isStarted) hooks.onOutput(name, text);
      },
    });
    // One piece at a time: while a piece is stored, the pipe fills and the command waits.
    await stream.read(store.add);
    return store.end();
  }
}

function orderOf(request: BoundedRequest, { hasOwnUsers, cwd, env }: CommandRunOptions): string {
  const processes = hasOwnUsers ? request.limits.processes : null;
  return toOrderText({
    program: request.program,
    cwd,
    env,
    hasInput: request.stdin !== undefined,
    onTerminal: request.terminal ?? false,
    limits: { ...request.limits, processes },
  });
}

type Supervised = {
  readonly end: ProcessEnd;
  readonly interruption: ExecutionEnd | null;
  readonly used: UsageReport;
  /** Null without a network gate. */
  readonly attempts: ConnectionAttempts | null;
  /** Null if none is wanted, or the command did not end by itself. */
  readonly commandReport: Execution['report'] | null;
};

async function supervise(
  request: BoundedRequest,
  hooks: ExecutionHooks,
  options: CommandRunOptions & { readonly init: SandboxInit; readonly order: string },
): Promise<Supervised> {
  const { clock, init } = options;
  const { tree } = init;
  const { limits } = request;
  let interruption: ExecutionEnd | null = null;
  let watch: UsageWatch | null = null;
  let topmost: number | null = null;
  let attempts: ConnectionAttempts | null = null;
  let commandReport: Execution['report'] | null = null;
  const timers: (() => void)[] = [];

  /** Counts before the processes are gone, since their network namespace goes with them. */
  const countAttempts = (): void => {
    if (request.network !== 'off' || !options.confined || topmost === null) return;
    const found = attemptsIn(topmost);
    if (found !== null && found.loopback + found.away > 0) attempts = found;
  };

  const stop = (why: ExecutionEnd, graceMs: number): void => {
    if (interruption !== null) return;
    interruption = why;
    watch?.letGo();
    if (graceMs === 0) return kill();
    // Killed this early, bubblewrap may leave a process behind that it hasn't reported and that holds our pipes
    // open. The command has not begun; once ready it is killed instead of started.
    if (init.report().kind !== 'not-ready') tree.terminate();
    timers.push(clock.timer(graceMs, kill));
  };
  const kill = (): void => {
    watch?.poll();
    countAttempts();
    tree.kill();
  };
  const onAbort = (): void => stop({ kind: 'stopped' }, options.graceMs);
  const onKill = (): void => {
    onAbort();
    // A command that has not begun is killed as soon as it is ready.
    if (init.report().kind !== 'not-ready') kill();
  };
  const onTimeout = (): void => stop({ kind: 'timed_out', timeoutMs: limits.timeoutMs }, options.graceMs);

  const onWaiting = (root: number | null): void => {
    const { pid } = init.process;
    if (root === null || pid === undefined || interruption !== null) return tree.kill();
    topmost = root;
    const exceed = (limit: LimitKey): void => stop({ kind: 'limited', limit }, 0);
    options.onConfined?.(pid, exceed);
    const group = init.group();
    group?.limit({ ...limits, memoryBytes: limits.memoryBytes + (options.writtenBytes ?? 0) });
    watch = watchUsage(root, {
      clock,
      limits,
      group,
      writesToDisk: options.writesToDisk ?? false,
      onExceeded: exceed,
    });
    const term = hooks.lease ?? (options.diesWithUs ? null : ENDLESS);
    if (term !== null) {
      const pids = options.confined ? [root, pid] : [-pid];
      watched = options.supervisor.watch(pids, term, () => stop(UNWATCHED, 0));
    }
    hooks.onStart?.(root);
    init.giveInput(request.stdin);
    init.tell(options.order);
    cancelSetUp();
    timers.push(clock.timer(limits.timeoutMs, onTimeout));
    clock.timer(AFTER_BEGIN_MS, () => options.onBegun?.());
  };
  let unlimited: Error | null = null;
  let watched: Watched | null = null;

  init.onReport((report) => {
    const { kind } = report;
    if (kind !== 'exited' && kind !== 'signalled') return;
    watch?.poll();
    if (kind === 'signalled' || report.exitCode !== 0) countAttempts();
    if (request.report !== undefined) commandReport = readCommandReport(topmost);
    init.tell('leave\n');
  });
  void init.waiting.then(onWaiting).catch((cause: unknown) => {
    unlimited = cause instanceof Error ? cause : new Error(String(cause));
    tree.kill();
  });
  const cancelSetUp = clock.timer(SET_UP_MS, () => {
    unlimited = new Error(`it was not ready within ${SET_UP_MS} ms`);
    tree.kill();
  });
  timers.push(cancelSetUp);
  hooks.signal.addEventListener('abort', onAbort, { once: true });
  if (hooks.signal.aborted) onAbort();
  hooks.kill?.addEventListener('abort', onKill, { once: true });
  if (hooks.kill?.aborted === true) onKill();

  const end = await init.process.ended;
  await tree.dead();
  const unheardMs = (watched as Watched | null)?.leave();
  for (const cancel of timers) cancel();
  hooks.signal.removeEventListener('abort', onAbort);
  hooks.kill?.removeEventListener('abort', onKill);
  const used = (watch as UsageWatch | null)?.end() ?? NOTHING_USED;
  // Nothing depends on the removal, so it is not awaited.
  void init.group()?.remove();
  const { kind } = init.report();
  // Only a command that did not end by itself, or never began, may have been killed for its lease.
  if (interruption === null && kind !== 'exited' && kind !== 'signalled') {
    interruption = unrenewed((await unheardMs) ?? null);
  }
  return {
    end: unlimited === null ? end : { kind: 'failed', cause: unlimited },
    interruption,
    used,
    attempts,
    commandReport,
  };
}
