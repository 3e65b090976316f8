import { tmpdir } from 'node:os';
import type { Event } from '@signalbox/core';
import { runTrusted } from '@signalbox/sandbox';
import * as z from 'zod';
import { createCaptions, openingLines } from '../demo/captions.ts';
import { closingLines } from '../demo/closing-lines.ts';
import { folderToAdd } from '../demo/folder-to-add.ts';
import { type DemoStage, runDemo } from '../demo/run-demo.ts';
import type { Context } from '../frame/context.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { localDesk } from '../run/asker-desk.ts';
import { createRunLog } from '../run/run-log.ts';
import { createRunScreen, type RunScreen } from '../run/run-screen.ts';
import { summarise } from '../run/run-summary.ts';
import { as, BLANK, line } from '../screen/line.ts';
import { summaryTable } from '../views/summary-view.ts';

/** `signalbox demo`: a real house and three scripted providers; exit 0 when every scene really happened. */
export const demo = defineSubcommand({
  name: 'demo',
  args: z.object({ fast: z.boolean().default(false) }),
  async run({ fast }, context) {
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
        openHouse: context.doors.openHouse,
        runTrusted: (argv) => runTrusted(argv, context.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'),
        parent: tmpdir(),
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
      const closing = closingLines(report, folderToAdd(context.env['PATH']));
      context.print([BLANK, ...summaryTable(summary, context.look()), BLANK, ...closing]);
      return report.complete ? EXIT.ok : EXIT.failed;
    } finally {
      await stage.screen?.close();
      unlisten();
    }
  },
});

function openScreen({ workspace, house, unconfined, fast }: DemoStage, context: Context): RunScreen {
  const desk = localDesk(house.coordinator, house.files, { name: context.user, channel: 'terminal' });
  const live = context.terminal.live && !context.flags.json;
  context.say([...openingLines(workspace, unconfined), BLANK]);
  const screen = live
    ? createRunScreen({
        context,
        store: house.store,
        asker: { desk, isolation: null },
        budget: null,
        talkative: true,
      })
    : createRunLog({
        context: { ...context, flags: { ...context.flags, input: false } },
        desk,
        isolation: null,
        tellsHowToAnswer: false,
      });
  const captions = createCaptions(house.store, fast);
  let telling: Promise<void> = Promise.resolve();

  /** What one sees is said when it is to be seen. */
  async function tellCaption(event: Event, told: Promise<void>): Promise<void> {
    const lines = await captions(event);
    await told;
    screen.note(lines);
  }

  house.events.subscribe((event) => {
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
