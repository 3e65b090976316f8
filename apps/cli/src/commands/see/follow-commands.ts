import {
  type CommandId,
  type CommandRecord,
  type Event,
  fitsPageFilter,
  type PageFilter,
  UsageError,
} from '@signalbox/core';
import { pageThatFits } from '../../client/readers/page-that-fits.ts';
import { filterableOf, fitsTerms, type RecordFilter } from '../../client/readers/record-filter.ts';
import type { Context } from '../../runtime/contract/context.ts';
import type { ExitCode } from '../../runtime/contract/exit-code.ts';
import { untilInterrupted } from '../../live/until-interrupted.ts';
import { withReader } from '../../client/readers/with-reader.ts';
import { column, cutMiddle, gap, lineCells } from '../../terminal/cells.ts';
import { iconCell, statusIconOf } from '../../terminal/icon.ts';
import { idLabel } from '../../terminal/id-labels.ts';
import { as, line, type Line, muted } from '../../terminal/line.ts';
import { isEnding } from '../../client/event-stream.ts';
import type { Reader } from '../../client/readers/reader.ts';
import { dateAndTime, type RenderContext, timeOfDay } from '../../terminal/render-context.ts';
import { timeOf } from '../../views/commands-view.ts';

/** Steps at which a command stays; steps in between are over before they can be read. */
const STEPS: ReadonlySet<Event['type']> = new Set([
  'approval_requested',
  'command_queued',
  'command_started',
]);

/** Printed commands to remember; more do not change at once. */
const MAX_REMEMBERED = 10_000;

type Wanted = Readonly<{
  /** `ended`: only finished ones, when they finish. */
  which: 'all' | 'ended';
  filterOf: (reader: Reader) => Promise<PageFilter>;
  typed: RecordFilter | undefined;
}>;
/** Up to this width the command is shown instead of the date. */
const NARROW = 100;
const PROVIDER = 12;
const STATE = 18;
const TIME = 8;

/**
 * Prints the matching commands, oldest first, then each again whenever its state changes, until Ctrl-C. With `--json`
 * one record per line.
 */
export function followCommands(wanted: Wanted, context: Context): Promise<ExitCode> {
  return untilInterrupted(context, (signal) =>
    withReader(context, (reader) => follow(reader, { ...wanted, context, signal })),
  );
}

/** @throws {UsageError} for flags that select only a part of the past */
export function refuseToFollow(flags: Readonly<Record<string, string | undefined>>): void {
  const given = Object.entries(flags).find(([, value]) => value !== undefined);
  if (given === undefined) return;
  throw new UsageError('usage', `Cannot follow with --${given[0]}: it applies only to past commands`, {
    next: [`leave out --follow, or --${given[0]}`],
  });
}

async function follow(
  reader: Reader,
  { which, filterOf, typed, context, signal }: Wanted & Readonly<{ context: Context; signal: AbortSignal }>,
): Promise<void> {
  const filter = await filterOf(reader);
  /** The state of each when it was last printed. */
  const reported = new Map<CommandId, string>();
  const { from: _, limit: __, ...lasting } = filter;

  function tell(record: CommandRecord, at: number): void {
    const { word } = statusIconOf(record);
    if (reported.get(record.id) === word) return;
    reported.delete(record.id);
    reported.set(record.id, word);
    for (const oldest of reported.keys()) if (reported.size > MAX_REMEMBERED) reported.delete(oldest);
    context.json(record);
    context.print([changedRow(record, at, context.render())]);
  }

  async function printPresent(): Promise<void> {
    const page = await pageThatFits(which === 'ended' ? reader.history : reader.page, filter, typed);
    for (const record of page.commands.toReversed()) tell(record, lastChangeOf(record));
  }

  async function receive(event: Event): Promise<void> {
    if (!('commandId' in event) || !(isEnding(event) || (which === 'all' && STEPS.has(event.type)))) return;
    const record = await reader.commands.get(event.commandId);
    if (record === null || !fitsPageFilter(record, lasting)) return;
    if (typed === undefined || fitsTerms(typed, filterableOf(record))) tell(record, event.at);
  }

  const say = (what: string): void => context.say([line(muted(what))]);
  for await (const update of reader.update({ say, signal })) {
    if (update.kind === 'begun') await printPresent();
    else if (update.kind === 'gap') say('some events were missed: see signalbox history');
    else await receive(update.event);
  }
}

function lastChangeOf({ endedAt, startedAt, queuedAt, submittedAt }: CommandRecord): number {
  return endedAt ?? startedAt ?? queuedAt ?? submittedAt;
}

/** A command that changed its state, and when: rows are printed one by one, so their columns have a fixed width. */
export function changedRow(record: CommandRecord, at: number, render: RenderContext): Line {
  const status = statusIconOf(record);
  const { provider } = record.context;
  const head = line(
    muted(render.width < NARROW ? timeOfDay(at, render) : dateAndTime(at, render)),
    gap(2),
    iconCell(status),
    as('bold', idLabel(record.id, render)),
    gap(2),
    column(provider, render.width === Infinity ? Math.max(PROVIDER, provider.length) : PROVIDER),
    ' ',
    column(status.word, STATE, { role: status.role }),
    column(timeOf(record, render).text, TIME, { role: 'muted', align: 'right' }),
    gap(2),
  );
  const room = Math.max(TIME, render.width - lineCells(head));
  return line(head, render.width === Infinity ? record.title : cutMiddle(record.title, room));
}
