import { parseEvent } from '@signalbox/api';
import { type Event, EventId } from '@signalbox/core';
import * as z from 'zod';
import { jsonOf } from '../client/client-at.ts';

/** What the event stream of the server says. */
export type Frame =
  /** The first of a connection: what happens after `lastId` is told; null where nothing has happened yet. */
  | Readonly<{ kind: 'hello'; lastId: EventId | null }>
  | Readonly<{ kind: 'event'; event: Event }>
  /** The server no longer knows what came after the last event that we saw. */
  | Readonly<{ kind: 'reset'; lastId: EventId | null }>
  /** Its backend does not answer: what it tells is of `asOf`, epoch ms. */
  | Readonly<{ kind: 'away'; asOf: number; why: string }>
  | Readonly<{ kind: 'back' }>;

const Present = z.object({ lastId: EventId.nullable() });
const Away = z.object({ asOf: z.number(), why: z.string() });

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
  const data = jsonOf(field('data') ?? '');
  switch (field('event')) {
    case 'hello':
    case 'reset': {
      const present = Present.safeParse(data).data;
      return present === undefined
        ? []
        : [{ kind: field('event') === 'hello' ? 'hello' : 'reset', ...present }];
    }
    case 'away': {
      const away = Away.safeParse(data).data;
      return away === undefined ? [] : [{ kind: 'away', ...away }];
    }
    case 'back':
      return [{ kind: 'back' }];
    case undefined: {
      const event = parseEvent(data);
      return event === null ? [] : [{ kind: 'event', event }];
    }
    default:
      return [];
  }
}
