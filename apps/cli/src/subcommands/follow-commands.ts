import {
  type CommandId,
  type CommandRecord,
  type Event,
  fitsPageFilter,
  type PageFilter,
  UsageError,
} from '@signalbox/core';
import type { Context } from '../frame/context.ts';
import { EXIT, type ExitCode } from '../frame/exit-code.ts';
import { withSight } from '../frame/with-sight.ts';
import { glanceOf } from '../screen/icon.ts';
import { line, muted } from '../screen/line.ts';
import { isEnding } from '../sight/news.ts';
import type { Sight } from '../sight/sight.ts';
import { changedRow } from '../views/changed-row.ts';

/** Steps at which a command rests; what lies between them is over before anybody could read it. */
const STEPS: ReadonlySet<Event['type']> = new Set([
  'approval_requested',
  'command_queued',
  'command_started',
]);

/** Of commands that were printed; more do not change at once. */
const MOST_REMEMBERED = 10_000;

/**
 * Prints the commands that fit, oldest first, then each again whenever it stands elsewhere, until Ctrl-C. With `--json`
 * one record a line.
 *
 * @param which `ended`: only those that ended, when they end
 */
export async function followCommands(
  filter: PageFilter,
  which: 'all' | 'ended',
  context: Context,
): Promise<ExitCode> {
  const left = new AbortController();
  let exit: ExitCode = EXIT.interrupted;
  const unlisten = context.interrupts.listen((_, signal) => {
    exit = signal === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
    left.abort();
  });
  try {
    await withSight(context, (sight) => follow(sight, { filter, which, context, signal: left.signal }));
  } finally {
    unlisten();
  }
  return exit;
}

/** @throws {UsageError} for flags that ask for a part of the past alone. */
export function refuseToFollow(flags: Readonly<Record<string, string | undefined>>): void {
  const given = Object.entries(flags).find(([, value]) => value !== undefined);
  if (given === undefined) return;
  throw new UsageError('usage', `Cannot follow with --${given[0]}: that is about the past alone`, {
    next: [`leave out --follow, or --${given[0]}`],
  });
}

async function follow(
  sight: Sight,
  {
    filter,
    which,
    context,
    signal,
  }: Readonly<{ filter: PageFilter; which: 'all' | 'ended'; context: Context; signal: AbortSignal }>,
): Promise<void> {
  /** Where each stood when it was printed last. */
  const told = new Map<CommandId, string>();
  const { from: _, limit: __, ...lasting } = filter;

  function tell(record: CommandRecord, at: number): void {
    const { word } = glanceOf(record);
    if (told.get(record.id) === word) return;
    told.delete(record.id);
    told.set(record.id, word);
    for (const oldest of told.keys()) if (told.size > MOST_REMEMBERED) told.delete(oldest);
    context.json(record);
    context.print([changedRow(record, at, context.look())]);
  }

  async function tellPresent(): Promise<void> {
    const page = await (which === 'ended' ? sight.history(filter) : sight.page(filter));
    for (const record of page.commands.toReversed()) tell(record, lastChangeOf(record));
  }

  async function hear(event: Event): Promise<void> {
    if (!('commandId' in event) || !(isEnding(event) || (which === 'all' && STEPS.has(event.type)))) return;
    const record = await sight.commands.get(event.commandId);
    if (record !== null && fitsPageFilter(record, lasting)) tell(record, event.at);
  }

  const say = (what: string): void => context.say([line(muted(what))]);
  for await (const news of sight.news({ say, signal })) {
    if (news.kind === 'begun') await tellPresent();
    else if (news.kind === 'gap') say('what happened in between is no longer told: signalbox history has it');
    else await hear(news.event);
  }
}

function lastChangeOf({ endedAt, startedAt, queuedAt, submittedAt }: CommandRecord): number {
  return endedAt ?? startedAt ?? queuedAt ?? submittedAt;
}
