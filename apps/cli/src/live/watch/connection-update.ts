import type { Snapshot } from '@signalbox/api';
import type { Event } from '@signalbox/core';

/** What the link to the server tells, in order. */
export type ConnectionUpdate =
  /** What follows builds on this; events at or before its `lastEventId` are in it and come to be told only. */
  | Readonly<{ kind: 'snapshot'; snapshot: Snapshot; after: 'start' | 'break' | 'gap' }>
  | Readonly<{ kind: 'event'; event: Event }>
  /** The server answers, and its backend does not: what it tells is of `asOf`, until the next snapshot. */
  | Readonly<{ kind: 'away'; asOf: number; why: string }>
  /** Not connected; it is tried again at `nextTryAt`, epoch ms. */
  | Readonly<{ kind: 'broken'; at: number; nextTryAt: number; why: string }>;

/** Whether the list of pending approvals may be another one now. */
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
