import { basename } from 'node:path';
import type { ModeState } from '@signalbox/coordinator';
import type { CommandRecord } from '@signalbox/core';
import * as z from 'zod';
import type { Context } from '../frame/context.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT, type ExitCode } from '../frame/exit-code.ts';
import { findCommand } from '../frame/find-command.ts';
import { withRecordsOr, withSight } from '../frame/with-sight.ts';
import type { Holder, Records } from '../house.ts';
import { as, line } from '../screen/line.ts';
import { askServer } from '../serve/ask-server.ts';
import { type LocalAccess, present } from '../serve/local-access.ts';
import { serverFinder } from '../serve/named-server.ts';
import { HouseSeen } from '../sight/answers.ts';
import type { Sight } from '../sight/sight.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { commandView, type StatusData, statusView } from '../views/status-view.ts';

/** `signalbox status`: what goes on, in five lines; with an id all that is known of that command. */
export const status = defineSubcommand({
  name: 'status',
  args: z.object({
    id: z.string().optional(),
    exitCode: z.boolean().default(false),
    /** `signalbox` alone: status where something runs, else where to begin. */
    bare: z.boolean().default(false),
  }),
  async run({ id, exitCode, bare }, context) {
    if (bare) return runBare(context);
    if (id !== undefined) {
      const command = await withSight(context, (sight) => findCommand(sight.commands, id));
      context.answer({ json: () => ({ command }), lines: (look) => commandView(command, look) });
      return EXIT.ok;
    }
    const data =
      context.flags.server === undefined
        ? await withRecordsOr(
            context,
            (records) => tellStatus(records, context),
            (sight, why) => tellWithout(sight, why === 'away', context),
          )
        : await tellServer(present(serverFinder(context.flags, context)(), 'look'), context);
    return exitCode && data.approvals.length > 0 ? EXIT.needsApproval : EXIT.ok;
  },
});

async function runBare(context: Context): Promise<ExitCode> {
  const records = await context.doors.openRecords({ workspace: context.directory });
  try {
    if (records !== null && (await records.holder()) !== null) {
      await tellStatus(records, context);
      return EXIT.ok;
    }
  } finally {
    await records?.close();
  }
  context.print([
    line(as('accent', 'signalbox demo'), '     See it work in 30 seconds, without keys'),
    line(as('accent', 'signalbox init'), '     Set up this workspace'),
    line(as('accent', 'signalbox help'), '     All subcommands'),
  ]);
  return EXIT.ok;
}

async function tellStatus(records: Records, context: Context): Promise<StatusData> {
  const [mode, holder, unfinished, totals, members] = await Promise.all([
    records.mode(),
    records.holder(),
    records.store.unfinished(),
    endedCounts(records),
    records.members(),
  ]);
  const runningSince = holder?.startedAt ?? null;
  const here = { workspace: basename(context.directory), server: null, ...(await limitsHere(context)) };
  return tell({ ...here, mode, holder, unfinished, totals, members, runningSince, isAway: false }, context);
}

/** Nothing has happened yet, or Redis is away: what a coordinator here knew, and of those that ended what it remembers. */
async function tellWithout(sight: Sight, isAway: boolean, context: Context): Promise<StatusData> {
  const here = { workspace: basename(context.directory), server: null, ...(await limitsHere(context)) };
  return tell({ ...here, ...NOBODY, ...(await toldBy(sight)), isAway }, context);
}

/** The workspace of a server elsewhere; its settings are its own matter. */
async function tellServer(access: LocalAccess, context: Context): Promise<StatusData> {
  return withSight(context, async (sight) => {
    let isAway = false;
    const onAsOf = (): void => {
      isAway = true;
    };
    const request = { method: 'GET', path: '/api/snapshot', onAsOf } as const;
    const { workspace, limits } = await askServer(access, request, HouseSeen);
    const there = { workspace, server: access.url, maxConcurrent: limits.maxConcurrent, budget: null };
    return tell({ ...there, ...NOBODY, ...(await toldBy(sight)), isAway }, context);
  });
}

const NOBODY = { holder: null, members: null, runningSince: null } as const;

async function toldBy(sight: Sight): Promise<Pick<Known, 'mode' | 'unfinished' | 'totals'>> {
  const [mode, unfinished, { providers }] = await Promise.all([
    sight.mode(),
    sight.commands.unfinished(),
    sight.stats(),
  ]);
  const sum = (key: 'completed' | 'failed'): number => providers.reduce((all, row) => all + row[key], 0);
  return { mode, unfinished, totals: { done: sum('completed'), failed: sum('failed') } };
}

async function limitsHere(context: Context): Promise<Pick<StatusData, 'maxConcurrent' | 'budget'>> {
  const { settings } = await loadSettings(context);
  return { maxConcurrent: settings.execution.max_concurrent_executions, budget: settings.budget };
}

type Known = Omit<StatusData, 'mode' | 'counts' | 'approvals'> &
  Readonly<{
    mode: ModeState;
    holder: Holder | null;
    unfinished: readonly CommandRecord[];
    totals: Pick<StatusData['counts'], 'done' | 'failed'>;
  }>;

function tell({ mode, holder, unfinished, totals, ...rest }: Known, context: Context): StatusData {
  const having = (...states: readonly string[]): number =>
    unfinished.filter(({ state }) => states.includes(state)).length;
  const data: StatusData = {
    ...rest,
    mode: mode.mode,
    counts: { running: having('running'), waiting: having('queued', 'approved'), ...totals },
    approvals: unfinished.filter(({ state }) => state === 'awaiting_approval').toSorted(byExpiry),
  };
  context.answer({
    json: () => ({ ...data, mode, coordinator: holder }),
    lines: (look) => statusView(data, look),
  });
  return data;
}

async function endedCounts({ store }: Records): Promise<Readonly<{ done: number; failed: number }>> {
  const totals = await store.totals();
  const sum = (wanted: (outcome: string) => boolean): number =>
    totals.reduce((all, { outcome, commands }) => all + (wanted(outcome) ? commands : 0), 0);
  return {
    done: sum((outcome) => outcome === 'completed'),
    failed: sum((outcome) => ['failed', 'timed_out', 'conflict', 'lost'].includes(outcome)),
  };
}

function byExpiry(a: CommandRecord, b: CommandRecord): number {
  return (a.approval?.expiresAt ?? 0) - (b.approval?.expiresAt ?? 0);
}
