import { Readable, type Writable } from 'node:stream';
import type { Cgroup, CreateCgroup } from '../limits/cgroup.ts';
import type { OutputPipe } from '../output/output-pipe.ts';
import { type OutputReader, readStream } from '../output/output-reader.ts';
import { isAlive, treeOf } from '../process-tree.ts';
import { startProcess, type StartedProcess } from '../process.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { createTree, type Tree } from '../tree.ts';
import { GATE, gatedArgv, type KeeperReport, ORDERS, readReport, REPORT, STATUS } from './keeper.ts';

export type KeeperOptions = {
  /** A keeper, and what confines it before that. */
  readonly argv: readonly [string, ...string[]];
  /** Folder to start in, which a confinement may hide. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The command whose processes are found by their environment; null where a confinement holds them together. */
  readonly strayCommandId: string | null;
  /** Descriptor of the filter of system calls, at its beginning; null when nothing filters them. */
  readonly seccomp: number | null;
  readonly openPipe: () => OutputPipe | null;
  /** Null where the system gives us none. */
  readonly createGroup: CreateCgroup | null;
  /** Who ends its start when we die in the middle of it. */
  readonly supervisor: Pick<Supervisor, 'guard'>;
};

/** A process that waits for its order, or carries it out. */
export type Keeper = {
  readonly process: StartedProcess;
  readonly tree: Tree;
  /** What the command prints; nothing before it begins. */
  readonly output: readonly [stdout: OutputReader, stderr: OutputReader];
  readonly report: () => KeeperReport;
  /** Called with each report from now on; one listener. */
  readonly onReport: (listener: (report: KeeperReport) => void) => void;
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

/** Starts a keeper. */
export function startKeeper(options: KeeperOptions): Keeper {
  const confined = options.strayCommandId === null;
  const [stdout, stderr] = [options.openPipe(), options.openPipe()];
  const { started, letGo } = options.supervisor.guard(() =>
    startProcess({
      argv: confined ? gatedArgv(options.argv) : options.argv,
      cwd: options.cwd,
      env: options.env,
      descriptors: [
        'pipe',
        stdout?.writeEnd ?? 'pipe',
        stderr?.writeEnd ?? 'pipe',
        'pipe',
        'pipe',
        confined ? 'pipe' : 'ignore',
        options.seccomp ?? 'ignore',
        confined ? 'pipe' : 'ignore',
      ],
    }),
  );
  for (const pipe of [stdout, stderr]) pipe?.closeWriteEnd();
  for (const descriptor of [0, ORDERS, GATE]) ignoreBrokenPipe(started.streams[descriptor]);
  writableOf(started, GATE)?.end('go\n');
  const output = [
    stdout?.reader ?? readStream(readableOf(started, 1)),
    stderr?.reader ?? readStream(readableOf(started, 2)),
  ] as const;
  const tree = createTree({ started, strayCommandId: options.strayCommandId });
  const isReady = Promise.withResolvers<boolean>();
  let report: KeeperReport = { kind: 'not-ready', said: '' };
  let listener: ((report: KeeperReport) => void) | null = null;

  readLines(started, REPORT, (text) => {
    report = readReport(text);
    if (report.kind !== 'not-ready') isReady.resolve(true);
    listener?.(report);
  });
  if (confined)
    readLines(started, STATUS, (text) => {
      const pid = /"child-pid": (\d+)/.exec(text)?.[1];
      if (pid !== undefined) tree.setRoot(Number(pid));
    });
  void started.ended.then(() => isReady.resolve(false));

  let group: Cgroup | null = null;
  async function untilReady(): Promise<number | null> {
    group = options.createGroup?.() ?? null;
    // The kernel takes its time for a first one, and hurries with those behind it.
    const early = started.pid === undefined ? undefined : group?.attach(started.pid).catch(() => undefined);
    const root = (await isReady.promise) ? await tree.root : null;
    await early;
    // What came to be before that is not in it.
    if (root !== null) await group?.attach(treeOf(root).at(-1) ?? root);
    return root;
  }
  const waiting = untilReady();
  // Who takes it will hear of a failure. From now on it ends with its orders, and they with us.
  waiting.then(letGo, letGo);

  return {
    process: started,
    tree,
    output,
    report: () => report,
    onReport(next) {
      listener = next;
    },
    group: () => group,
    waiting,
    tell: (text) => void writableOf(started, ORDERS)?.write(text),
    giveInput: (text) => void writableOf(started, 0)?.end(text),
    hasEnded: () => started.pid === undefined || !isAlive(started.pid),
    hold(isHeld) {
      started.hold(isHeld);
      for (const stream of output) stream.hold(isHeld);
    },
  };
}

function readLines(started: StartedProcess, descriptor: number, onText: (text: string) => void): void {
  readAll(readableOf(started, descriptor), onText);
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
