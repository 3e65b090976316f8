import { basename } from 'node:path';
import { type CommandRecord, type Event, type Isolation, type Settings } from '@signalbox/core';
import type { Assignment, SessionSummary, StartedRun, UntilLine } from '@signalbox/coordinator';
import * as z from 'zod';
import { confirmAtStart } from '../config/trust-settings.ts';
import { canAsk } from '../frame/ask-yes.ts';
import type { Context } from '../frame/context.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT, type ExitCode } from '../frame/exit-code.ts';
import type { House } from '../house.ts';
import { houseDesk } from '../run/house-desk.ts';
import { chooseProviders } from '../run/choose-providers.ts';
import { createRunLog } from '../run/run-log.ts';
import { createRunScreen, type RunScreen } from '../run/run-screen.ts';
import { reviewAfterRun } from '../review/review-after-run.ts';
import { type RunSummary, summarise } from '../run/run-summary.ts';
import { nobodyAnswered } from '../run/nobody-answered.ts';
import { stopInSteps } from '../run/stop-in-steps.ts';
import { hostServer } from '../serve/host-server.ts';
import { as, type Line, line, muted } from '../screen/line.ts';
import { money } from '../screen/look.ts';
import { followSettings } from '../settings/follow-settings.ts';
import { gitFolder } from '../settings/is-tracked-by-git.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { type SettingsOnDisk, settingsOnDisk } from '../settings/watch-settings.ts';
import { fileWritesText } from '../views/file-writes-text.ts';
import { MODE_ROLE } from '../views/status-view.ts';
import { providerHints } from '../views/provider-hints.ts';
import { cwdInWorkspace } from '../workspace/path-in-workspace.ts';
import { notSetUp } from '../workspace/not-set-up.ts';
import { summaryHead, summaryTable, summaryTail } from '../views/summary-view.ts';
import { tellTroubles } from '../frame/tell-troubles.ts';

/** `signalbox run "Make the tests pass" -p openai -p anthropic`: several providers at work on one tree. */
export const run = defineSubcommand({
  name: 'run',
  args: z.object({
    task: z.string().optional(),
    provider: z.array(z.string()).default([]),
    until: z.string().min(1).optional(),
    budget: z.coerce.number({ error: 'must be an amount of US dollars' }).positive().optional(),
    turns: z.coerce.number({ error: 'must be a number of turns' }).int().min(1).max(10_000).optional(),
    unconfined: z.boolean().default(false),
    serve: z.boolean().default(true),
  }),
  async run(args, context) {
    const place = { ...context, withoutSandbox: args.unconfined };
    await confirmAtStart(context);
    const { settings: loaded, notes } = await loadSettings(place);
    const settings = withFlags(loaded, args);
    const task = args.task === '-' ? await context.readStdin() : args.task;
    const assignments = chooseProviders(args.provider, task, { settings, env: context.env });
    for (const { message } of notes) context.say([line(as('warn', 'note '), message)]);
    const house = await context.doors.openHouse({
      workspace: context.directory,
      settings,
      unconfined: args.unconfined,
      user: context.user,
      subcommand: 'run',
      apiKeys: context.env,
      clock: context.clock,
    });
    try {
      tellTroubles(house, context);
      const followed = { ...settingsOnDisk(place), before: loaded };
      const until = untilOf(args.until, house.lines.tests, context);
      return await runIn(house, { assignments, until, followed, isServed: args.serve }, context);
    } finally {
      await house.close();
    }
  },
});

function withFlags(
  settings: Settings,
  { budget, turns }: { budget?: number | undefined; turns?: number | undefined },
): Settings {
  const { agents } = settings;
  const execution = {
    ...agents.tool_execution,
    max_iterations: turns ?? agents.tool_execution.max_iterations,
  };
  return { ...settings, budget: budget ?? settings.budget, agents: { ...agents, tool_execution: execution } };
}

type Plan = Readonly<{
  assignments: readonly Assignment[];
  until: UntilLine | null;
  followed: SettingsOnDisk & Readonly<{ before: Settings }>;
  /** Whether others may watch and answer from elsewhere. */
  isServed: boolean;
}>;

/** A line that a person gave runs where they stand; the workspace's own tests run in the workspace. */
function untilOf(given: string | undefined, tests: string | null, context: Context): UntilLine | null {
  if (given !== undefined) return { line: given, ...cwdInWorkspace(context) };
  return tests === null ? null : { line: tests };
}

async function runIn(
  house: House,
  { assignments, until, followed, isServed }: Plan,
  context: Context,
): Promise<ExitCode> {
  const isolation = await house.isolation().catch(() => null);
  await sayHeader(house, { isolation, until }, context);
  const events: Event[] = [];
  const startedAt = context.clock.now();
  const screen = openScreen(house, { isolation, load: followed.load }, context);
  const unsubscribe = house.events.subscribe((event) => {
    events.push(event);
    void screen.event(event);
    if (event.type === 'turns_requested')
      void screen
        .moreTurns({ ...event, signal: stop.signal })
        .then((turns) => house.runs.grantTurns(event.sessionId, turns, context.user));
  });
  const stop = stopInSteps({
    interrupts: context.interrupts,
    clock: context.clock,
    coordinator: house.coordinator,
    store: house.store,
    by: context.user,
    tell(text) {
      screen.hint('stopping, Ctrl-C again stops processes now');
      screen.note([line(as('warn', text))]);
    },
  });
  const { clock } = context;
  const unfollow = followSettings(house, { ...followed, clock }, (lines) => screen.note(lines));
  const serving = isServed
    ? hostServer(house, { context, signal: stop.signal }, (lines) => screen.note(lines))
    : Promise.resolve();
  let ends: readonly SessionSummary[] = [];
  let started: StartedRun | undefined;
  try {
    started = await house.runs.start({
      assignments,
      until,
      // Where nobody sits, a paused session would hang for good.
      attended: canAsk(context) && !context.flags.json,
      by: context.user,
    });
    const { runId } = started;
    stop.signal.addEventListener('abort', () => void house.runs.stop(runId, context.user, 'graceful'));
    ends = await started.ended;
  } finally {
    unfollow();
    await serving;
    await screen.close();
    unsubscribe();
    stop.close();
  }
  const records = await recordsOf(events, house);
  const passed = events.find((event) => event.type === 'run_ended')?.until ?? null;
  const summary = summarise({ records, events, startedAt, endedAt: context.clock.now(), until: passed });
  tellSummary(summary, providerHints(events, house.settings.providers), context);
  if (!stop.signal.aborted) await reviewAfterRun(house, started.sessions, context);
  return stop.exitCode() ?? (nobodyAnswered(events, ends) ? EXIT.unavailable : exitCodeOf(summary, ends));
}

/** A live screen where there is one, lines elsewhere. */
function openScreen(
  house: House,
  { isolation, load }: Pick<SettingsOnDisk, 'load'> & { readonly isolation: Isolation | null },
  context: Context,
): RunScreen {
  const desk = houseDesk(house, context, { load });
  if (!context.terminal.live || context.flags.json) return createRunLog({ context, desk, isolation });
  return createRunScreen({
    context,
    store: house.store,
    asker: { desk, isolation },
    budget: house.settings.budget,
    talkative: context.flags.verbose > 0,
  });
}

async function sayHeader(
  { coordinator, settings, backend }: House,
  { isolation, until }: Readonly<{ isolation: Isolation | null; until: UntilLine | null }>,
  context: Context,
): Promise<void> {
  const { mode } = await coordinator.mode();
  const isGit = (await gitFolder(context.directory)) !== null;
  const layer = isolation === null ? 'no sandbox works: shell lines fail' : `isolation ${isolation.layer}`;
  context.say([
    line(
      as('bold', basename(context.directory)),
      ' · ',
      as(MODE_ROLE[mode], mode),
      ` · ${backend === 'redis' ? 'Redis' : backend} · `,
      as(isolation === null || isolation.layer === 'none' ? 'danger' : 'text', layer),
      ` · ${fileWritesText(settings, isolation)}`,
      muted(` · until: ${until?.line ?? 'every session has finished'}`),
      muted(settings.budget === null ? '' : ` · budget ${money(settings.budget)}`),
    ),
    ...(isGit ? [] : [line(muted('not a git workspace: undo still works'))]),
    ...notSetUp(context.directory),
  ]);
}

async function recordsOf(events: readonly Event[], { store }: House): Promise<readonly CommandRecord[]> {
  const ids = new Set(
    events.flatMap((event) => (event.type === 'command_submitted' ? [event.commandId] : [])),
  );
  const records = await Promise.all([...ids].map((id) => store.get(id)));
  return records.filter((record) => record !== null);
}

function tellSummary(summary: RunSummary, hints: readonly Line[], context: Context): void {
  context.json({ event: 'run.ended', summary });
  context.say([summaryHead(summary)]);
  context.print(summaryTable(summary, context.look()));
  context.say([...hints, ...summaryTail(summary)]);
}

/** 0 when `--until` passed (without it: when every session finished), else the strongest reason why not. */
function exitCodeOf(summary: RunSummary, ends: readonly SessionSummary[]): ExitCode {
  if (summary.lost.length > 0) return EXIT.lost;
  const finishes = ends.map(({ finish }) => finish);
  if (summary.until?.passed === true) return EXIT.ok;
  if (finishes.includes('budget')) return EXIT.limit;
  if (summary.until === null && finishes.every((finish) => finish === 'finished')) return EXIT.ok;
  if (summary.approvals.expired > 0) return EXIT.needsApproval;
  return EXIT.failed;
}
