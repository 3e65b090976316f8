import { Readable, type Writable } from 'node:stream';
import type { Cgroup, CreateCgroup } from '../limits/cgroup.ts';
import { type OutputPipe, type Pipes, toOutputPipe } from '../output/output-pipe.ts';
import { type OutputReader, readStream } from '../output/output-reader.ts';
import { isAlive, treeOf } from '../process-tree/process-tree.ts';
import { startProcess, type StartedProcess } from '../process.ts';
import type { Starter } from '../starter/starter.ts';
import { ENDLESS, type Supervisor } from '../supervisor/supervisor.ts';
import { createTree, type Tree } from '../process-tree/tree.ts';
import { type InitReport, ORDERS, readReport, REPORT } from './init.ts';

export type InitOptions = {
  /** The confinement, then the sandbox init. */
  readonly argv: readonly [string, ...string[]];
  /** Null if the system gives us no control groups. */
  readonly createGroup: CreateCgroup | null;
  /** Ends a half-done start when we die. */
  readonly supervisor: Pick<Supervisor, 'watch'>;
  /** Starts the process. */
  readonly starter: Starter;
};

/** A process that waits for its order or executes it. */
export type SandboxInit = {
  readonly process: StartedProcess;
  readonly tree: Tree;
  /** The command's output; empty before it begins. */
  readonly output: readonly [stdout: OutputReader, stderr: OutputReader];
  readonly report: () => InitReport;
  /** Registers the only listener for reports from now on. */
  readonly onReport: (listener: (report: InitReport) => void) => void;
  /**
   * Its control group, which includes its confinement; null if the system gives us none. Removed by the reader
   * of its usage.
   */
  readonly group: () => Cgroup | null;
  /**
   * The topmost process of the tree, once it waits for its order in its group; null when it ended earlier.
   * Rejects when it can't be moved into the group.
   */
  readonly waiting: Promise<number | null>;
  /** Sends an order, or permission to end. */
  readonly tell: (text: string) => void;
  readonly giveInput: (text: string | undefined) => void;
  readonly hasEnded: () => boolean;
  /** Sets whether our own process stays alive for it. Default true. */
  readonly hold: (isHeld: boolean) => void;
};

/** Starts a sandbox init in a confinement. */
export function startInit({ argv, createGroup, supervisor, starter }: InitOptions): SandboxInit {
  const { process: started, pipes, known } = starter.start(argv);
  const { stdin, output, orders, report, status } = pipes;
  const tree = createTree({
    started,
    strayCommandId: null,
    // It doesn't begin without the line it waits for.
    onKill: () => void (started.pid === undefined && orders.destroy()),
  });
  // No longer read. Left open, each command would leak a descriptor.
  void started.ended.then(() => [stdin, orders].forEach((one) => one.destroy()));
  readAll(status, (text) => {
    const pid = /"child-pid": (\d+)/.exec(text)?.[1];
    if (pid !== undefined) tree.setRoot(Number(pid));
  });
  /** Null when it could not be started. */
  const guarded = known.then((pid) => {
    if (pid === null) return null;
    const watched = supervisor.watch([-pid], ENDLESS, () => undefined);
    orders.write('go\n');
    return watched;
  });
  let group: Cgroup | null = null;
  const made = (async () => (group = createGroup?.() ?? null))();
  // The kernel is slow for the first process moved and fast for those after it.
  const early = Promise.all([known, made]).then(([pid, own]) =>
    pid === null ? undefined : own?.attach(pid),
  );
  const isEarlyOver = early.catch(() => undefined);
  const toGroup = async (root: number): Promise<void> => {
    await isEarlyOver;
    const own = await made;
    // Processes created earlier are not in the group.
    await own?.attach(treeOf(root).at(-1) ?? root);
  };
  const init = createInit({ started, tree, output, report, orders, stdin, group: () => group, toGroup });
  // A failure is reported to whoever takes it. From now on it ends when its orders pipe closes, and that closes
  // with us.
  const letGo = async (): Promise<void> => void (await guarded)?.leave();
  init.waiting.then(letGo, letGo);
  return { ...init, hold: started.hold };
}

/** Starts a sandbox init without our confinement. */
export function startUnconfinedInit(options: {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Finds this command's processes by their environment. */
  readonly strayCommandId: string;
  readonly pipes: Pipes;
  readonly supervisor: Pick<Supervisor, 'guard'>;
}): SandboxInit {
  const { argv, cwd, env, strayCommandId } = options;
  const [stdout, stderr] = [openOutputPipe(options.pipes), openOutputPipe(options.pipes)];
  const { started, letGo } = options.supervisor.guard(() =>
    startProcess({
      argv,
      cwd,
      env,
      descriptors: ['pipe', stdout?.writeEnd ?? 'pipe', stderr?.writeEnd ?? 'pipe', 'pipe', 'pipe'],
    }),
  );
  for (const pipe of [stdout, stderr]) pipe?.closeWriteEnd();
  for (const descriptor of [0, ORDERS]) ignoreBrokenPipe(started.streams[descriptor]);
  const output = [
    stdout?.reader ?? readStream(readableOf(started, 1)),
    stderr?.reader ?? readStream(readableOf(started, 2)),
  ] as const;
  const init = createInit({
    started,
    tree: createTree({ started, strayCommandId }),
    output,
    report: readableOf(started, REPORT),
    orders: writableOf(started, ORDERS),
    stdin: writableOf(started, 0),
    group: () => null,
    toGroup: async () => undefined,
  });
  init.waiting.then(letGo, letGo);
  return {
    ...init,
    hold(isHeld) {
      started.hold(isHeld);
      for (const stream of output) stream.hold(isHeld);
    },
  };
}

/** Creates the handle of a sandbox init, however it was started. */
function createInit(parts: {
  readonly started: StartedProcess;
  readonly tree: Tree;
  readonly output: SandboxInit['output'];
  readonly report: Readable;
  readonly orders: Writable | null;
  readonly stdin: Writable | null;
  readonly group: () => Cgroup | null;
  /** Moves its topmost process into the group. */
  readonly toGroup: (root: number) => Promise<void>;
}): Omit<SandboxInit, 'hold'> {
  const { started, tree, output, orders, stdin, group, toGroup } = parts;
  const isReady = Promise.withResolvers<boolean>();
  let hasEnded = false;
  let report: InitReport = { kind: 'not-ready', output: '' };
  let listener: ((report: InitReport) => void) | null = null;

  readAll(parts.report, (text) => {
    report = readReport(text);
    if (report.kind !== 'not-ready') isReady.resolve(true);
    listener?.(report);
  });
  void started.ended.then(() => {
    hasEnded = true;
    return isReady.resolve(false);
  });

  async function untilReady(): Promise<number | null> {
    const root = (await isReady.promise) ? await tree.root : null;
    if (root !== null) await toGroup(root);
    return root;
  }

  return {
    process: started,
    tree,
    output,
    report: () => report,
    onReport(next) {
      listener = next;
    },
    group,
    waiting: untilReady(),
    tell: (text) => void orders?.write(text),
    giveInput: (text) => void stdin?.end(text),
    hasEnded: () => hasEnded || (started.pid !== undefined && !isAlive(started.pid)),
  };
}

function openOutputPipe(pipes: Pipes): OutputPipe | null {
  const ends = pipes.open();
  return ends === null ? null : toOutputPipe(ends);
}

/** Calls `onText` with all text so far, whenever more arrives. */
export function readAll(stream: Readable, onText: (text: string) => void): void {
  let text = '';
  stream.setEncoding('latin1');
  stream.on('error', () => undefined);
  stream.on('data', (chunk: string) => {
    // The sandbox init writes less than this.
    if (text.length < 65_536) text += chunk;
    onText(text);
  });
}

type Stream = StartedProcess['streams'][number];

function readableOf(started: StartedProcess, descriptor: number): Readable {
  const stream = started.streams[descriptor];
  if (stream !== null && stream !== undefined && 'read' in stream) return stream;
  return Readable.from([]);
}

function writableOf(started: StartedProcess, descriptor: number): Writable | null {
  const stream = started.streams[descriptor];
  return stream !== null && stream !== undefined && 'write' in stream ? stream : null;
}

/** The reader may end before everything is read. */
function ignoreBrokenPipe(stream: Stream): void {
  stream?.on('error', () => undefined);
}
