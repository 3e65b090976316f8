import { Readable, type Writable } from 'node:stream';
import type { Cgroup, CreateCgroup } from '../limits/cgroup.ts';
import { type OutputPipe, type Pipes, toOutputPipe } from '../output/output-pipe.ts';
import { type OutputReader, readStream } from '../output/output-reader.ts';
import { isAlive, treeOf } from '../process-tree.ts';
import { startProcess, type StartedProcess } from '../process.ts';
import type { Starter } from '../starter/starter.ts';
import { ENDLESS, type Supervisor } from '../supervisor/supervisor.ts';
import { createTree, type Tree } from '../tree.ts';
import { type InitReport, ORDERS, readReport, REPORT } from './init.ts';

export type InitOptions = {
  /** A keeper, and what confines it before that. */
  readonly argv: readonly [string, ...string[]];
  /** Null where the system gives us none. */
  readonly createGroup: CreateCgroup | null;
  /** Who ends its start when we die in the middle of it. */
  readonly supervisor: Pick<Supervisor, 'watch'>;
  /** Who starts it. */
  readonly starter: Starter;
};

/** A process that waits for its order, or carries it out. */
export type SandboxInit = {
  readonly process: StartedProcess;
  readonly tree: Tree;
  /** What the command prints; nothing before it begins. */
  readonly output: readonly [stdout: OutputReader, stderr: OutputReader];
  readonly report: () => InitReport;
  /** Called with each report from now on; one listener. */
  readonly onReport: (listener: (report: InitReport) => void) => void;
  /** Its control group, which holds what confines it as well; null where the system gives us none. Removed by who reads its usage. */
  readonly group: () => Cgroup | null;
  /**
   * Topmost process of the tree once it waits for its order, in its group; null when it ended before that.
   * Rejects when it can't be put into a group.
   */
  readonly waiting: Promise<number | null>;
  /** An order, or leave to end. */
  readonly tell: (text: string) => void;
  readonly giveInput: (text: string | undefined) => void;
  readonly hasEnded: () => boolean;
  /** Whether our own process stays for it. Default true. */
  readonly hold: (isHeld: boolean) => void;
};

/** Starts a keeper in a confinement. */
export function startInit({ argv, createGroup, supervisor, starter }: InitOptions): SandboxInit {
  const { process: started, pipes, known } = starter.start(argv);
  const { stdin, output, orders, report, status } = pipes;
  const tree = createTree({
    started,
    strayCommandId: null,
    // Without the line that it waits for it does not begin.
    onKill: () => void (started.pid === undefined && orders.destroy()),
  });
  // Nobody reads them any more; left open, each command would cost a descriptor for good.
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
  // The kernel takes its time for a first one, and hurries with those behind it.
  const early = Promise.all([known, made]).then(([pid, own]) =>
    pid === null ? undefined : own?.attach(pid),
  );
  const isEarlyOver = early.catch(() => undefined);
  const toGroup = async (root: number): Promise<void> => {
    await isEarlyOver;
    const own = await made;
    // What came to be before that is not in it.
    await own?.attach(treeOf(root).at(-1) ?? root);
  };
  const init = createInit({ started, tree, output, report, orders, stdin, group: () => group, toGroup });
  // Who takes it will hear of a failure. From now on it ends with its orders, and they with us.
  const letGo = async (): Promise<void> => void (await guarded)?.leave();
  init.waiting.then(letGo, letGo);
  return { ...init, hold: started.hold };
}

/** Starts a keeper that nothing of ours confines. */
export function startUnconfinedInit(options: {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The command whose processes are found by their environment. */
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

/** What a keeper is, however it was started. */
function createInit(parts: {
  readonly started: StartedProcess;
  readonly tree: Tree;
  readonly output: SandboxInit['output'];
  readonly report: Readable;
  readonly orders: Writable | null;
  readonly stdin: Writable | null;
  readonly group: () => Cgroup | null;
  /** Puts its topmost process into the group. */
  readonly toGroup: (root: number) => Promise<void>;
}): Omit<SandboxInit, 'hold'> {
  const { started, tree, output, orders, stdin, group, toGroup } = parts;
  const isReady = Promise.withResolvers<boolean>();
  let hasEnded = false;
  let report: InitReport = { kind: 'not-ready', said: '' };
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

/** Calls back with all text so far, whenever there is more of it. */
export function readAll(stream: Readable, onText: (text: string) => void): void {
  let text = '';
  stream.setEncoding('latin1');
  stream.on('error', () => undefined);
  stream.on('data', (chunk: string) => {
    // What is longer than this is not of the keeper.
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

/** Who reads may end before all is read. */
function ignoreBrokenPipe(stream: Stream): void {
  stream?.on('error', () => undefined);
}
