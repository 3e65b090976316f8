import { once } from 'node:events';
import { resolve } from 'node:path';
import {
  type BenchWorld,
  benchOptions,
  checkReportFiles,
  compareReports,
  holds,
  keepReport,
  readReport,
  type ReportFiles,
  runBench,
  runNode,
} from '@signalbox/bench';
import { UsageError } from '@signalbox/core';
import { askedOptions, BenchArguments } from './bench-arguments.ts';
import { benchView } from './bench-view.ts';
import { benchWorldOf } from './bench-world.ts';
import { compareView } from './compare-view.ts';
import { showBench } from './show-bench.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';

/** `signalbox bench hot-file --agents 50`: fake agents on a real coordinator; exit 1 when an invariant is violated. */
export const bench = defineSubcommand({
  name: 'bench',
  args: BenchArguments,
  async run(args, context) {
    if (args.scenario === 'compare') return compare(args.file, context);
    if (args.file.length > 0)
      throw new UsageError('unexpected-argument', `Cannot use "${args.file[0]}": a scenario takes no file`, {
        next: ['signalbox bench compare A.json B.json', `--save ${args.file[0]}`],
      });
    if (args.member !== undefined) return beNode(args.member, context);
    const options = benchOptions(askedOptions(args, context.random));
    const files = filesOf(args, context);
    await checkReportFiles(files);
    const stopping = new AbortController();
    const screen = showBench(options, context);
    let interrupted: ExitCode | null = null;
    const unlisten = context.interrupts.listen((count, signal) => {
      interrupted = signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated;
      if (count === 1) screen.step('stopping: waiting for commands in progress');
      stopping.abort();
    });
    try {
      const world = benchWorldOf(context, { signal: stopping.signal, redis: redisOf(args) });
      const report = await runBench(options, world, {
        onSample: screen.sample,
        onStep: screen.step,
        baselines: args.baselines,
      });
      screen.close();
      await keepReport(report, files);
      context.answer({ json: () => report, lines: (render) => benchView(report, render) });
      return holds(report) ? (interrupted ?? EXIT.ok) : EXIT.failed;
    } finally {
      screen.close();
      unlisten();
    }
  },
});

function redisOf({ redis, volatile, workers }: BenchArguments): BenchWorld['redis'] {
  if (redis !== undefined) return { url: redis, volatile };
  if ((workers ?? 1) === 1) return null;
  throw new UsageError('usage', 'Cannot start several coordinators: without Redis, one leads the workspace', {
    next: ['--redis URL allows several coordinators'],
  });
}

/**
 * One of the processes that lead a run's workspace; it ends on request, or when the process that started it is gone.
 */
async function beNode(file: string, context: Context): Promise<ExitCode> {
  const stopping = new AbortController();
  const stopped = once(stopping.signal, 'abort');
  const unlisten = context.interrupts.listen(() => stopping.abort());
  void context
    .readStdin()
    .catch(() => '')
    .then(() => stopping.abort());
  const world = benchWorldOf(context, { signal: stopping.signal, redis: null });
  await runNode(file, world, { onStarted: context.json, stopped });
  unlisten();
  // The parent may keep stdin open, which would keep this process alive.
  process.stdin.destroy();
  return EXIT.ok;
}

function filesOf({ save, report }: BenchArguments, { cwd }: Context): ReportFiles {
  const inDirectory = (file: string | undefined) => (file === undefined ? undefined : resolve(cwd, file));
  return { json: inDirectory(save), page: inDirectory(report) };
}

async function compare(files: readonly string[], context: Context): Promise<ExitCode> {
  const [first, second, ...more] = files;
  if (first === undefined || second === undefined || more.length > 0)
    throw new UsageError('two-reports', 'Cannot compare: two reports are needed', {
      next: ['signalbox bench mixed --save a.json', 'signalbox bench compare a.json b.json'],
    });
  const a = await readReport(first, context.cwd);
  const b = await readReport(second, context.cwd);
  context.answer({
    json: () => compareReports(a, b),
    lines: (render) => compareView(a, b, render),
  });
  return EXIT.ok;
}
