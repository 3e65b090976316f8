import { basename } from 'node:path';
import type { Context } from '../../runtime/contract/context.ts';
import { printHowToBegin, reportSource, STORED } from '../../client/report-source.ts';
import { withRecordsIfAny } from '../../client/readers/with-records.ts';
import type { Records } from '../../runtime/contract/runtime.ts';
import { limitsOf } from '../../runtime/limits-of.ts';
import { storedFilter } from '../../runtime/tool-filter/stored-filter.ts';
import { judgeOf } from '../../runtime/settings/judge-of.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import type { StatusData } from '../../views/status-view.ts';
import { pendingIn, type StatusRead } from './status-read.ts';

/** Current activity from the records: no coordinator on this machine runs or answers. */
export async function readStored(context: Context): Promise<StatusRead> {
  return withRecordsIfAny(
    context,
    (records) => reportSource(context, STORED, () => statusOf(records, context)),
    async () => {
      printHowToBegin(context);
      return { data: await nothingYet(context), coordinator: null };
    },
  );
}

/** Null if no coordinator leads the workspace, on this machine or, through Redis, on another one. */
export async function readStoredIfLed(context: Context): Promise<StatusRead | null> {
  return withRecordsIfAny(
    context,
    async (records) => ((await records.holder()) === null ? null : statusOf(records, context)),
    async () => null,
  );
}

async function statusOf(records: Records, context: Context): Promise<StatusRead> {
  const { settings } = await loadSettings(context);
  const [nothing, mode, coordinator, unfinished, approvals, totals, members, toolFilter] = await Promise.all([
    nothingYet(context),
    records.mode(),
    records.holder(),
    records.store.countUnfinished(),
    pendingIn(records.store),
    records.store.totals(),
    records.members(),
    storedFilter(settings, { ...records, clock: context.clock }),
  ]);
  const having = (...states: readonly string[]): number =>
    sum(unfinished.filter(({ state }) => states.includes(state)));
  const ended = (...outcomes: readonly string[]): number =>
    sum(totals.filter(({ outcome }) => outcomes.includes(outcome)));
  const data: StatusData = {
    ...nothing,
    mode,
    runningSince: coordinator?.startedAt ?? null,
    counts: {
      running: having('running'),
      waiting: having('queued', 'approved'),
      done: ended('completed'),
      failed: ended('failed', 'timed_out'),
      lost: ended('lost'),
      denied: ended('denied', 'blocked'),
      stale: ended('conflict'),
    },
    approvals,
    members,
    toolFilter,
  };
  return { data, coordinator };
}

async function nothingYet(context: Context): Promise<StatusData> {
  const { settings } = await loadSettings(context);
  return {
    workspace: basename(context.directory),
    server: null,
    mode: {
      mode: settings.mode,
      since: context.clock.now(),
      by: 'configuration',
      reason: 'nothing has run here yet',
    },
    runningSince: null,
    counts: { running: 0, waiting: 0, done: 0, failed: 0, lost: 0, denied: 0, stale: 0 },
    maxConcurrent: limitsOf(settings).maxConcurrent,
    approvals: [],
    budget: settings.budget,
    toolFilter: null,
    judge: judgeOf(settings),
    members: null,
    isAway: false,
  };
}

function sum(rows: readonly Readonly<{ commands: number }>[]): number {
  return rows.reduce((all, { commands }) => all + commands, 0);
}
