import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { type Event, UsageError } from '@signalbox/core';
import { runTrusted } from '@signalbox/sandbox';
import * as z from 'zod';
import { createCaptions, openingLines } from './captions.ts';
import { closingLines } from './closing-lines.ts';
import { folderToAdd } from './folder-to-add.ts';
import { type DemoStage, runDemo } from './run-demo.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { REDIS_URL, type RedisAddress } from '../../runtime/workspace/redis-address.ts';
import { localApprovals } from '../../client/local-approvals.ts';
import { createRunLog } from '../../live/run/run-log.ts';
import { createRunScreen, type RunScreen } from '../../live/run/run-screen.ts';
import { summarise } from '../../live/run/run-summary.ts';
import { as, BLANK, line } from '../../terminal/line.ts';
import { summaryTable } from '../../live/run/summary-view.ts';

/** `signalbox demo`: a real coordinator and three scripted providers; exit 0 when every scene really happened. */
export const demo = defineSubcommand({
  name: 'demo',
  args: z.object({
    fast: z.boolean().default(false),
    keep: z.boolean().default(true),
    backend: z.enum(['embedded', 'redis']).optional(),
    redis: z.string().min(1).optional(),
    volatile: z.boolean().default(false),
  }),
  async run({ fast, keep, backend, redis: url, volatile }, context) {
    const redis = addressOf({ backend, url, volatile }, context.env);
    const stopping = new AbortController();
    const stage: { screen: RunScreen | null } = { screen: null };
    let interrupted: number | null = null;
    const unlisten = context.interrupts.listen((_count, signal) => {
      interrupted = signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated;
      stage.screen?.note([line(as('warn', 'Stopping: the demo ends when every process is dead'))]);
      stopping.abort();
    });
    try {
      const report = await runDemo({
        openRuntime: context.doors.openRuntime,
        runTrusted: (argv) => runTrusted(argv, context.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'),
        parent: tmpdir(),
        redis,
        env: context.env,
        user: context.user,
        clock: context.clock,
        log: context.log,
        // Nobody watches a pipe.
        fast: fast || !context.terminal.live,
        signal: stopping.signal,
        isAnswering: () => stage.screen?.isAnswering() ?? false,
        onSettings: (lines) => stage.screen?.note(lines),
        onOpen: (opened) => {
          stage.screen = openScreen(opened, context);
        },
      });
      await stage.screen?.close();
      const summary = summarise({
        records: report.records,
        events: report.events,
        startedAt: report.events[0]?.at ?? 0,
        endedAt: report.events.at(-1)?.at ?? 0,
        until: null,
      });
      context.json({
        event: 'run.ended',
        summary: { ...report.summary, providers: summary.providers, complete: report.complete },
      });
      if (!report.complete && interrupted !== null) return interrupted;
      // It was made for this alone, in a folder of its own.
      if (!keep) rmSync(dirname(report.workspace), { recursive: true, force: true });
      const kept = keep
        ? { missingFolder: folderToAdd(context.env['PATH']), onRedis: redis !== undefined }
        : null;
      const closing = closingLines(report, kept);
      context.print([BLANK, ...summaryTable(summary, context.look()), BLANK, ...closing]);
      return report.complete ? EXIT.ok : EXIT.failed;
    } finally {
      await stage.screen?.close();
      unlisten();
    }
  },
});

/** @throws {UsageError} `no-redis-url` where Redis is asked for and nothing says where it is. */
function addressOf(
  given: {
    readonly backend?: string | undefined;
    readonly url?: string | undefined;
    readonly volatile: boolean;
  },
  env: Context['env'],
): RedisAddress | undefined {
  const { backend = given.url === undefined ? 'embedded' : 'redis', volatile } = given;
  if (backend === 'embedded') return undefined;
  const url = given.url ?? env[REDIS_URL] ?? '';
  if (url !== '') return { url, volatile };
  throw new UsageError('no-redis-url', 'Cannot play the demo on Redis: nothing says where that is', {
    next: ['signalbox demo --redis URL', `or export ${REDIS_URL}=redis://…`],
  });
}

function openScreen({ workspace, runtime, unconfined, fast }: DemoStage, context: Context): RunScreen {
  const approvals = localApprovals(runtime.coordinator, { name: context.user, channel: 'terminal' });
  const live = context.terminal.live && !context.flags.json;
  context.say([...openingLines(workspace, unconfined), BLANK]);
  const screen = live
    ? createRunScreen({
        context,
        store: runtime.store,
        asker: { approvals, isolation: null },
        startedAt: context.clock.now(),
        onDetach: null,
        budget: null,
        talkative: true,
      })
    : createRunLog({
        context: { ...context, flags: { ...context.flags, input: false } },
        approvals,
        isolation: null,
        tellsHowToAnswer: false,
      });
  const captions = createCaptions(runtime.store, fast);
  let telling: Promise<void> = Promise.resolve();

  /** What one sees is said when it is to be seen. */
  async function tellCaption(event: Event, told: Promise<void>): Promise<void> {
    const lines = await captions(event);
    await told;
    screen.note(lines);
  }

  runtime.events.subscribe((event) => {
    const told = screen.event(event);
    telling = telling.then(() => tellCaption(event, told));
  });
  return {
    ...screen,
    async close() {
      await telling;
      await screen.close();
    },
  };
}
