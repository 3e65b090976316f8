import type { SandboxInit } from '../bubblewrap/init-process.ts';
import { readAll } from '../bubblewrap/init-process.ts';
import { type InitReport, readReport } from '../bubblewrap/init.ts';
import { holdStream } from '../output/hold-stream.ts';
import { readStream } from '../output/output-reader.ts';
import { isAlive } from '../process-tree/process-tree.ts';
import { startProcess } from '../process.ts';
import { readTrusted } from '../programs.ts';
import { createTree } from '../process-tree/tree.ts';
import type { Channels } from './channels.ts';

const ASK_TIMEOUT_MS = 30_000;

/** Starts a container that runs only a sandbox init. */
export function startContainerInit(options: {
  readonly engine: readonly [string, ...string[]];
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly channels: Channels;
}): SandboxInit {
  const { engine, name, channels, env } = options;
  const ask = (...words: string[]): Promise<string> =>
    readTrusted([...engine, ...words], { cwd: '/', env, timeoutMs: ASK_TIMEOUT_MS });
  const started = startProcess({
    argv: options.argv,
    cwd: '/',
    env,
    descriptors: ['ignore', 'ignore', 'pipe'],
  });
  const tree = createTree({
    started,
    strayCommandId: null,
    // The engine's client may die before its container.
    onKill: () => void ask('rm', '--force', name).catch(() => undefined),
  });
  const isReady = Promise.withResolvers<boolean>();
  let engineOutput = '';
  let report: InitReport = { kind: 'not-ready', output: engineOutput };
  let listener: ((report: InitReport) => void) | null = null;

  readAll(channels.report, (text) => {
    report = readReport(text);
    if (report.kind !== 'not-ready') isReady.resolve(true);
    listener?.(report);
  });
  const complaints = started.streams[2];
  if (complaints !== null && complaints !== undefined && 'read' in complaints) {
    readAll(complaints, (text) => {
      engineOutput = text;
    });
  }
  void started.ended.then(() => {
    // If it never started, nobody has opened the pipes.
    channels.seal();
    return isReady.resolve(false);
  });

  async function untilReady(): Promise<number | null> {
    if (!(await isReady.promise)) return null;
    channels.seal();
    const pid = Number(await ask('inspect', '--format', '{{.State.Pid}}', name));
    if (Number.isInteger(pid) && pid > 0 && isAlive(pid)) tree.setRoot(pid);
    return tree.root;
  }
  const waiting = untilReady();
  waiting.catch(() => undefined);

  return {
    process: started,
    tree,
    output: [readStream(channels.stdout), readStream(channels.stderr)],
    report: () =>
      'output' in report ? { ...report, output: `${engineOutput}\n${report.output}`.trim() } : report,
    onReport(next) {
      listener = next;
    },
    group: () => null,
    waiting,
    tell: (text) => void channels.orders.write(text),
    giveInput: (text) => void channels.stdin.end(text ?? ''),
    hasEnded: () => started.pid === undefined || !isAlive(started.pid),
    hold(isHeld) {
      started.hold(isHeld);
      for (const stream of channels.all) holdStream(stream, isHeld);
    },
  };
}
