import { InvariantError, type Lease } from '@signalbox/core';
import type { CommandEvent } from './command-event.ts';
import { command, type MachineContext, type LeaseHolding } from './command-setup.ts';
import { outcomeAtEnd, recordAfter, recordAtEnd } from './record-after.ts';

type Step = { readonly context: MachineContext; readonly event: CommandEvent };

const NOTHING: LeaseHolding = { kind: 'nothing' };

/** Copies the event's facts into the record. */
export const keep = command.assign(({ context, event }) => ({ record: recordAfter(context.record, event) }));
const holdEntry = command.assign({ holding: { kind: 'entry' } });
export const holdNothing = command.assign({ holding: NOTHING });
export const holdLease = command.assign(({ context, event }) => ({
  holding:
    event.type === 'lease.granted'
      ? { kind: 'lease', lease: event.lease }
      : event.type === 'queue.answered' && event.answer.kind === 'granted'
        ? { kind: 'lease', lease: event.answer.lease }
        : context.holding,
}));

export const release = {
  type: 'release',
  params: ({ context }: Step) => ({ holding: context.holding }),
} as const;
export const enqueue = [holdEntry, { type: 'enqueue', params: { wanted: null } }] as const;
export const enqueueWanted = [
  holdEntry,
  { type: 'enqueue', params: ({ context }: Step) => ({ wanted: context.wanted }) },
] as const;
export const check = {
  type: 'check',
  params: ({ context }: Step) => ({ lease: heldLease(context) }),
} as const;
export const releaseIfPossible = {
  type: 'releaseIfPossible',
  params: ({ context }: Step) => ({ holding: context.holding }),
} as const;
export const keepHeld = { ...releaseIfPossible, type: 'keepHeld' } as const;
const releaseHeld = {
  type: 'releaseIfPossible',
  // Its queue entry may be the other coordinator's by now, and a lease under which it ran is the other's to release.
  params: ({ context: { holding, record } }: Step) => ({
    holding: holding.kind === 'lease' && record.state !== 'running' ? holding : NOTHING,
  }),
} as const;
export const answer = {
  type: 'answer',
  params: ({ event }: { event: CommandEvent & { type: 'audit.written' | 'result.elsewhere' } }) => ({
    result: event.result,
  }),
} as const;
export const close = command.assign({ closing: true });
export const replyGranted = { type: 'reply', params: { answer: { kind: 'granted' } } } as const;
export const replyCounted = { type: 'reply', params: { answer: { kind: 'counted' } } } as const;
export const replyVoid = {
  actions: {
    type: 'reply',
    params: ({ event }: { event: CommandEvent & { type: 'answer.void' } }) => ({ answer: event.answer }),
  },
} as const;
export const failReply = {
  type: 'replyFailed',
  params: ({ event }: { event: CommandEvent & { type: 'runner.failed' } }) => ({ cause: event.cause }),
} as const;
export const keepLease = {
  type: 'keepLease',
  params: ({ context }: Step) => ({ lease: heldLease(context) }),
} as const;
export const proceed = {
  type: 'proceed',
  params: ({ event }: { event: CommandEvent & { type: 'gates.answered' } }) => ({
    failure: event.answer.failure,
  }),
} as const;
export const ask = {
  type: 'ask',
  params: ({ event }: { event: CommandEvent & { type: 'approval.needed' } }) => ({
    ruling: event.ruling,
    why: event.why,
    reply: event.reply,
  }),
} as const;

/** Ends without having run: audited first, then stored, then its claims are released, then answered. */
export const END = {
  target: '#command.ending',
  actions: [
    {
      type: 'audit',
      params: ({ context, event }: Step) => ({ outcome: outcomeAtEnd(context.record, event) }),
    },
    command.assign(({ context, event }) => ({ record: recordAtEnd(context.record, event) })),
  ],
} as const;
export const FAIL = {
  target: '#command.collapsing',
  actions: {
    type: 'settleFailure',
    params: ({ event }: { event: CommandEvent & { type: 'runner.failed' | 'execution.failed' } }) => ({
      cause: event.cause,
    }),
  },
} as const;
export const TAKEN = {
  target: '#command.elsewhere',
  actions: [releaseHeld, 'forget', 'awaitElsewhere'],
} as const;

/** Ends with an earlier command's answer, without having held anything. */
export const REUSED = {
  target: '#command.ending',
  actions: [
    holdNothing,
    {
      type: 'audit',
      params: ({ event }: { event: CommandEvent & { type: 'result.reused' } }) => ({ result: event.result }),
    },
  ],
} as const;

/** A command without a process: it may end at once. */
export const UNSTARTED = {
  'cancel.requested': END,
  'command.ended': END,
  'command.orphaned': END,
  'command.taken': TAKEN,
  'runner.failed': FAIL,
} as const;
export const ASK = { target: '#command.asking', actions: [ask] } as const;
export const ALLOWED = [
  { guard: 'isClosing', target: '#command.approved', actions: [keep, 'store'] },
  { target: '#command.approved.entering', actions: [keep, 'store', ...enqueue] },
] as const;

export const interrupt = {
  type: 'interrupt',
  params: ({ event }: { event: CommandEvent & { type: 'cancel.requested' } }) => ({
    why: { kind: 'cancelled', by: event.by, reason: event.reason } as const,
    haste: event.haste,
  }),
} as const;
export const interruptLost = { type: 'interrupt', params: { why: { kind: 'lease-lost' } } } as const;
export const interruptClosing = {
  type: 'interrupt',
  params: { why: { kind: 'cancelled', by: 'signalbox', reason: 'Signalbox was stopped' } },
} as const;
export const resumeWithout = { type: 'resume', params: { lease: null } } as const;
export const resumeWith = {
  type: 'resume',
  params: ({ context }: Step) => ({ lease: heldLease(context) }),
} as const;

/** The process is dead. If it would change what was not agreed to, a person is asked. */
export const DEAD = [
  {
    guard: 'isWithheld',
    target: '#command.classified',
    actions: [
      keep,
      release,
      {
        type: 'judgeWithheld',
        params: ({ event }: { event: CommandEvent & { type: 'process.ended' } }) => ({ ran: event.ran }),
      },
    ],
  },
  {
    target: '#command.running.settling',
    actions: {
      type: 'conclude',
      params: ({ context, event }: Step & { event: CommandEvent & { type: 'process.ended' } }) => ({
        ran: event.ran,
        note: context.note,
      }),
    },
  },
] as const;
/** Its process is stopped, and the new coordinator settles it. */
export const TAKEN_RUNNING = {
  target: '#command.elsewhere',
  actions: [interruptLost, 'forget', 'awaitElsewhere'],
} as const;

function heldLease({ holding, record }: MachineContext): Lease {
  if (holding.kind !== 'lease') throw new InvariantError(`Cannot run ${record.id}: it holds no lease`);
  return holding.lease;
}

export const want = command.assign(({ context, event }) =>
  event.type === 'claims.wanted'
    ? { wanted: { claims: event.claims, placeless: event.placeless } }
    : { wanted: context.wanted },
);
export const takeNote = command.assign(({ context, event }) => ({
  note:
    event.type === 'call.classified' || event.type === 'gates.answered'
      ? noteOf(context, event)
      : context.note,
}));

function noteOf(
  { note }: MachineContext,
  event: CommandEvent & { type: 'call.classified' | 'gates.answered' },
): string | null {
  const own = event.type === 'call.classified' ? event.note : note;
  const notes = [...(own == null ? [] : [own]), ...(event.answer?.notes ?? [])];
  return notes.length === 0 ? null : notes.join('\n');
}
