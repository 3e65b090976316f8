import { type Clock, type CommandRecord, type Event, EventId, UnavailableError } from '@signalbox/core';
import type { Records } from '../house.ts';
import { isEnding } from './news.ts';
import { pause } from './pause.ts';
import type { PrintedPart } from './sight.ts';

const LOOK_EVERY_MS = 100;
/**
 * What a command prints, from its beginning until it has ended, as far as it is told live (1 MiB a stream).
 *
 * @throws {UnavailableError} `coordinator-gone` when who leads it has gone before it ended.
 */
export async function* followOutput(
  record: CommandRecord,
  { events, store, holder }: Pick<Records, 'events' | 'store' | 'holder'>,
  clock: Clock,
): AsyncGenerator<PrintedPart> {
  const { id } = record;
  let last: EventId | null = EventId.parse(`${Math.floor(record.submittedAt) - 1}-0`);
  for (;;) {
    // In this order: what it printed is told before its ending is stored.
    const isOver = (await store.get(id))?.state === 'done';
    const isLed = (await holder()) !== null;
    const page = await events.since(last);
    const told: readonly Event[] = page.kind === 'events' ? page.events : [];
    for (const event of told) {
      if (!('commandId' in event) || event.commandId !== id) continue;
      if (event.type === 'command_output') yield { stream: event.stream, text: event.output };
      if (isEnding(event)) return;
    }
    last = told.at(-1)?.id ?? (page.kind === 'reset' ? await events.lastId() : last);
    if (told.length > 0) continue;
    if (isOver) return;
    if (!isLed) throw gone(id);
    await pause(LOOK_EVERY_MS, clock);
  }
}

function gone(id: CommandRecord['id']): UnavailableError {
  return new UnavailableError('coordinator-gone', `Cannot follow ${id} any longer: who led it is gone`, {
    next: ['signalbox status', 'the next signalbox run or serve settles it'],
  });
}
