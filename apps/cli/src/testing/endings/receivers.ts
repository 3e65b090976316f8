import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandId, type CommandRecord, type Event, InvariantError } from '@signalbox/core';
import { createSystemClock } from '@signalbox/embedded';
import { vi } from 'vitest';
import { auditFilesOf } from '../../runtime/audit-files.ts';
import { followEvents } from '../../client/event-stream.ts';
import { readAt } from '../../client/fetch-at.ts';
import { accessOf } from '../access-of.ts';
import type { TestTerminal } from '../test-context.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What each receiver is told of one finished command. */
export type EndingViews = Readonly<{
  http: Readonly<{ status: number; record: CommandRecord }>;
  /** `signalbox output ID` and the row of `signalbox history`. */
  output: Readonly<{ exit: number; out: string; talk: string }>;
  row: string;
  /** The line of `signalbox history --json`. */
  history: CommandRecord;
  explained: Readonly<{ ruling: Readonly<{ kind: string; rule: string }> }> | null;
  audit: Fields;
  log: readonly Fields[];
  events: readonly Event[];
}>;

const ENDINGS: ReadonlySet<string> = new Set([
  'command_completed',
  'command_failed',
  'command_denied',
  'command_cancelled',
]);

/** On a busy machine. */
const PATIENT = { timeout: 20_000 };

const ENDED = /^tool_call_(?!started)/;

/** The first matching event, from the log or later. */
export async function eventOf(workspace: string, fits: (event: Event) => boolean): Promise<Event> {
  const leave = new AbortController();
  const options = { after: '0-0', clock: createSystemClock(), signal: leave.signal, say: () => undefined };
  for await (const one of followEvents(accessOf(workspace), options)) {
    if (one.kind !== 'event' || !fits(one.event)) continue;
    leave.abort();
    return one.event;
  }
  throw new InvariantError('the events ended');
}

/** All events of a command that has ended, in order. */
async function eventsOf(workspace: string, id: CommandId): Promise<readonly Event[]> {
  const seen: Event[] = [];
  await eventOf(workspace, (event) => {
    // Those without a title are of its session or of its output.
    if (!('title' in event) || event.commandId !== id) return false;
    seen.push(event);
    return ENDINGS.has(event.type);
  });
  return seen;
}

/** Asks every receiver for that command. */
export async function receivedOf(
  id: CommandId,
  { workspace, signalbox }: Readonly<{ workspace: string; signalbox: TestTerminal['signalbox'] }>,
): Promise<EndingViews> {
  const { status, text } = await readAt(accessOf(workspace), `/api/commands/${id}?wait=600000`);
  const record = JSON.parse(text) as CommandRecord;
  const events = await eventsOf(workspace, id);
  const history = (await signalbox('--json', 'history', '--limit', '1000')).out
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row) as CommandRecord)
    .find((one) => one.id === id);
  const [audit, ...others] = auditLines(workspace).filter(({ command_id: command }) => command === id);
  if (history === undefined || audit === undefined || others.length > 0)
    throw new InvariantError(`${id} has no history or not one audit line`);
  // Written when the event arrives.
  const log = await vi.waitFor(() => {
    const lines = logLines(workspace).filter(
      ({ command_id: call, commandId }) => call === id || commandId === id,
    );
    if (!lines.some(({ msg }) => ENDED.test(String(msg)))) throw new Error('not logged yet');
    // Its handler writes before the events arrive on Redis.
    return lines.toSorted((one, other) => Number('commandId' in one) - Number('commandId' in other));
  }, PATIENT);
  const table = await signalbox('history', '--limit', '1000');
  const row = table.out.split('\n').find((one) => one.includes(id)) ?? '';
  const explained = await signalbox('--json', 'policy', 'explain', id);
  return {
    http: { status, record },
    output: await signalbox('output', id),
    row,
    history,
    explained: explained.exit === 0 ? (JSON.parse(explained.out) as EndingViews['explained']) : null,
    audit,
    log,
    events,
  };
}

function auditLines(workspace: string): readonly Fields[] {
  return auditFilesOf(workspace).flatMap(linesOf);
}

function logLines(workspace: string): readonly Fields[] {
  return linesOf(join(workspace, '.signalbox/log.jsonl'));
}

function linesOf(file: string): readonly Fields[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((row) => JSON.parse(row) as Fields);
}

const COUNTED =
  /^(signalbox_(?:commands_total|history_commands|command_duration_seconds_count|queue_wait_seconds_count)\S*) (\d+)$/;

/** Counts of `/metrics`, by series, once they count that many finished commands of the provider. */
export async function countsOf(
  workspace: string,
  { provider, finished }: Readonly<{ provider: string; finished: number }>,
): Promise<ReadonlyMap<string, number>> {
  return vi.waitFor(async () => {
    const { text } = await readAt(accessOf(workspace), '/metrics');
    const counts = new Map(
      text.split('\n').flatMap((row) => {
        const [, series, count] = COUNTED.exec(row) ?? [];
        return series === undefined ? [] : [[series, Number(count)] as const];
      }),
    );
    const total = [...counts].reduce(
      (sum, [series, count]) =>
        series.startsWith('signalbox_commands_total') && series.includes(`provider="${provider}"`)
          ? sum + count
          : sum,
      0,
    );
    if (total !== finished) throw new Error(`${total} of ${finished} commands are counted`);
    return counts;
  }, PATIENT);
}

/** How much each series has grown. */
export function grownBy(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...after].flatMap(([series, count]) => {
      const grown = count - (before.get(series) ?? 0);
      return grown === 0 ? [] : [[series, grown]];
    }),
  );
}
