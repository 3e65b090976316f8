import { type Event, EventId, NewEvent } from '@signalbox/core';
import * as z from 'zod';
import { defineOperation } from '../operation.ts';

/** The events that a watcher wants; an absent field restricts nothing. */
export const EventFilter = z.object({
  provider: z.string().optional(),
  session: z.string().optional(),
  command: z.string().optional(),
  types: z.string().optional().describe('Types of events, with commas: `command_started,command_completed`'),
  output: z.string().default('all').describe('Output of commands: `all`, `none`, or the id of one command'),
});
export type EventFilter = z.infer<typeof EventFilter>;

/** Answers with server-sent events. */
export const followEvents = defineOperation('GET', '/api/events', {
  schema: {
    querystring: EventFilter.extend({ after: EventId.optional().describe('As Last-Event-ID') }),
    response: { 200: z.unknown() },
  },
});

/** The first frame of a stream: events after `lastId` follow; null when there is none yet. */
export const HelloFrame = z.object({ now: z.number(), lastId: EventId.nullable() });

/** The backend does not answer: data sent meanwhile is as of `asOf`, epoch milliseconds. */
export const AwayFrame = z.object({ asOf: z.number(), why: z.string() });

const Stamp = z.looseObject({ id: EventId, at: z.number() });

/** Null for an event that this version does not know: a newer server may send more. */
export function parseEvent(data: unknown): Event | null {
  const stamped = Stamp.safeParse(data);
  if (!stamped.success) return null;
  const { id, at, ...reported } = stamped.data;
  const parsed = NewEvent.safeParse(reported);
  return parsed.success ? { ...parsed.data, id, at } : null;
}

/** Whether an event came after another: ids are `<epoch ms>-<n>`, and grow. */
export function isAfter(id: EventId, other: EventId): boolean {
  const [ms = 0, n = 0] = id.split('-').map(Number);
  const [otherMs = 0, otherN = 0] = other.split('-').map(Number);
  return ms > otherMs || (ms === otherMs && n > otherN);
}
