import type { Snapshot } from '@signalbox/api';
import type { Event } from '@signalbox/core';

/** Updates of the connection to the server, in order. */
export type ConnectionUpdate =
  /** Later updates build on this; events up to its `lastEventId` are included in it and sent only for display. */
  | Readonly<{ kind: 'snapshot'; snapshot: Snapshot; after: 'start' | 'break' | 'gap' }>
  | Readonly<{ kind: 'event'; event: Event }>
  /** The server answers but its backend does not: its data is as of `asOf`, until the next snapshot. */
  | Readonly<{ kind: 'away'; asOf: number; why: string }>
  /** Not connected; the next try is at `nextTryAt`, epoch ms. */
  | Readonly<{ kind: 'broken'; at: number; nextTryAt: number; why: string }>;

/** Whether the list of pending approvals may have changed. */
export function mayChangeQuestions(update: ConnectionUpdate): boolean {
  return (
    update.kind === 'snapshot' || (update.kind === 'event' && MAY_CHANGE_QUESTIONS.has(update.event.type))
  );
}

const MAY_CHANGE_QUESTIONS: ReadonlySet<string> = new Set([
  'approval_requested',
  'approval_counted',
  'approval_extended',
  'command_approved',
  'command_denied',
  'command_cancelled',
  'command_failed',
]);
