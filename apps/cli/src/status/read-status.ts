import { basename } from 'node:path';
import type { CommandRecord, CommandStore, UnfinishedCount } from '@signalbox/core';
import { clientAt, isBackendAway } from '../client/client-at.ts';
import type { Context } from '../frame/context.ts';
import { saySource, sourceOf } from '../frame/say-source.ts';
import { withRecordsIfAny } from '../frame/with-records.ts';
import { coordinatorHere, readerAt, readerOfNothing, STORED } from '../readers/with-reader.ts';
import type { Holder, Records } from '../house.ts';
import type { LocalAccess } from '../serve/local-access.ts';
import { namedServer } from '../serve/named-server.ts';
import { limitsOf } from '../place/limits-of.ts';
import { loadSettings } from '../settings/load-settings.ts';
import type { Reader } from '../readers/reader.ts';
import type { StatusData } from '../views/status-view.ts';

/** What goes on in a workspace. */
export type StatusRead = Readonly<{ data: StatusData; coordinator: Holder | null }>;

/** Of the server that `--server` names, else of this workspace. */
export async function readStatus(context: Context): Promise<StatusRead> {
  const named = namedServer(context.flags, context);
  if (named !== null) return readServer(named, context);
  const here = await coordinatorHere(context);
  // A Redis that is frozen would be asked for long.
  if (here !== null && (await isBackendAway(here)))
    return saySource(context, sourceOf(here), () => readWithout(readerAt(here, context), true, context));
  return withRecordsIfAny(
    context,
    (records) => saySource(context, STORED, () => readRecords(records, context)),
    async () => readWithout(await readerOfNothing(context), false, context),
  );
}

export async function readRecords(records: Records, context: Context): Promise<StatusRead> {
  const [mode, holder, unfinished, totals, members] = await Promise.all([
    records.mode(),
    records.holder(),
    unfinishedIn(records.store),
    endedCounts(records),
    records.members(),
  ]);
  const runningSince = holder?.startedAt ?? null;
  const known = { mode, holder, unfinished, totals, members, runningSince, isAway: false };
  return toRead({ ...(await placeHere(context)), ...known });
}

/** Nothing has happened yet, or Redis is away: what a coordinator here knew, and of those that ended what it remembers. */
async function readWithout(reader: Reader, isAway: boolean, context: Context): Promise<StatusRead> {
  return toRead({ ...(await placeHere(context)), ...NOBODY, ...(await toldBy(reader)), isAway });
}

/** The workspace of a server elsewhere; its settings are its own matter. */
async function readServer(access: LocalAccess, context: Context): Promise<StatusRead> {
  return saySource(context, sourceOf(access), async () => {
    let isAway = false;
    const onAsOf = (): void => {
      isAway = true;
    };
    const { workspace, limits } = await clientAt(access, { onAsOf }).getSnapshot();
    const there = { workspace, server: access.url, maxConcurrent: limits.maxConcurrent, budget: null };
    return toRead({ ...there, ...NOBODY, ...(await toldBy(readerAt(access, context))), isAway });
  });
}

const NOBODY = { holder: null, members: null, runningSince: null } as const;

async function placeHere(
  context: Context,
): Promise<Pick<StatusData, 'workspace' | 'server' | 'maxConcurrent' | 'budget'>> {
  const { settings } = await loadSettings(context);
  return {
    workspace: basename(context.directory),
    server: null,
    maxConcurrent: limitsOf(settings).maxConcurrent,
    budget: settings.budget,
  };
}

type Known = Omit<StatusData, 'counts' | 'approvals'> &
  Readonly<{
    holder: Holder | null;
    unfinished: Unfinished;
    totals: Pick<StatusData['counts'], 'done' | 'failed' | 'stale'>;
  }>;

type Unfinished = Readonly<{ counts: readonly UnfinishedCount[]; asking: readonly CommandRecord[] }>;

async function unfinishedIn(
  store: Pick<CommandStore, 'unfinished' | 'countUnfinished'>,
): Promise<Unfinished> {
  const [counts, asking] = await Promise.all([
    store.countUnfinished(),
    store.unfinished({ states: ['awaiting_approval'], limit: 1000 }),
  ]);
  return { counts, asking };
}

async function toldBy(reader: Reader): Promise<Pick<Known, 'mode' | 'unfinished' | 'totals'>> {
  const [mode, unfinished, { providers }] = await Promise.all([
    reader.mode(),
    unfinishedIn(reader.commands),
    reader.stats(),
  ]);
  const sum = (key: 'completed' | 'failed'): number => providers.reduce((all, row) => all + row[key], 0);
  return { mode, unfinished, totals: { done: sum('completed'), failed: sum('failed'), stale: 0 } };
}

function toRead({ mode, holder, unfinished, totals, ...rest }: Known): StatusRead {
  const having = (...states: readonly string[]): number =>
    unfinished.counts.reduce((sum, { state, commands }) => sum + (states.includes(state) ? commands : 0), 0);
  const data: StatusData = {
    ...rest,
    mode,
    counts: { running: having('running'), waiting: having('queued', 'approved'), ...totals },
    approvals: unfinished.asking.toSorted(byExpiry),
  };
  return { data, coordinator: holder };
}

async function endedCounts({ store }: Records): Promise<Known['totals']> {
  const totals = await store.totals();
  const sum = (wanted: (outcome: string) => boolean): number =>
    totals.reduce((all, { outcome, commands }) => all + (wanted(outcome) ? commands : 0), 0);
  return {
    done: sum((outcome) => outcome === 'completed'),
    failed: sum((outcome) => ['failed', 'timed_out', 'lost'].includes(outcome)),
    stale: sum((outcome) => outcome === 'conflict'),
  };
}

function byExpiry(a: CommandRecord, b: CommandRecord): number {
  return (a.approval?.expiresAt ?? 0) - (b.approval?.expiresAt ?? 0);
}
