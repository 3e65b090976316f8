import { type Event, EventId, NewEvent } from '@signalbox/core';
import * as z from 'zod';

/** What the event stream of the server says. */
export type Frame =
  | Readonly<{ kind: 'event'; event: Event }>
  /** The server no longer knows what came after the last event that we saw. */
  | Readonly<{ kind: 'reset' }>
  /** Its backend does not answer: what it tells is of `asOf`, epoch ms. */
  | Readonly<{ kind: 'away'; asOf: number; why: string }>
  | Readonly<{ kind: 'back' }>;

const Away = z.object({ asOf: z.number(), why: z.string() });
const Stamp = z.looseObject({ id: EventId, at: z.number() });

/** Takes server-sent events apart, however their bytes are cut; what it does not know it passes over. */
export function createFrameReader(): (text: string) => readonly Frame[] {
  let rest = '';
  return (text) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.flatMap(frameOf);
  };
}

function frameOf(block: string): readonly Frame[] {
  const rows = block.split('\n');
  const field = (name: string): string | undefined =>
    rows.find((row) => row.startsWith(`${name}: `))?.slice(name.length + 2);
  if (field('event') === 'reset') return [{ kind: 'reset' }];
  if (field('event') === 'back') return [{ kind: 'back' }];
  const data = field('data');
  if (field('event') === 'away') return awayIn(data);
  if (data === undefined || field('event') !== undefined) return [];
  const event = eventOf(data);
  return event === null ? [] : [{ kind: 'event', event }];
}

function awayIn(data: string | undefined): readonly Frame[] {
  try {
    return [{ kind: 'away', ...Away.parse(JSON.parse(data ?? '')) }];
  } catch {
    return [];
  }
}

/** Null for what is no event that this version knows: a newer server may tell of more. */
function eventOf(data: string): Event | null {
  try {
    const { id, at, ...told } = Stamp.parse(JSON.parse(data));
    const parsed = NewEvent.safeParse(told);
    return parsed.success ? { ...parsed.data, id, at } : null;
  } catch {
    return null;
  }
}
