import {
  type Approval,
  type Approver,
  type Call,
  type CallHash,
  type Claim,
  type CommandRecord,
  type CommandResult,
  CommandState,
  InvariantError,
  type Lease,
  type Mode,
  type PendingApproval,
  type Ruling,
  type ToolOrigin,
  type Verdict,
} from '@signalbox/core';
import { setup } from 'xstate';
import { raisedBy } from '../approval/raised-by.ts';

/** What the judges found out about a call, stored with it. */
export type Judged = {
  readonly call: Call;
  readonly origin?: ToolOrigin;
  readonly callHash: CallHash;
  readonly title: string;
  readonly verdict: Verdict;
  readonly mode: Mode;
  readonly claims: readonly Claim[];
};

/** What may happen to a command. Times are epoch milliseconds. */
export type CommandEvent =
  | { readonly type: 'call.classified'; readonly judged: Judged }
  | { readonly type: 'ruling.allowed'; readonly ruling: Ruling; readonly at: number }
  | {
      readonly type: 'ruling.asked';
      readonly ruling: Ruling;
      /** Under another policy the same call has another hash. */
      readonly callHash: CallHash;
      readonly approval: PendingApproval;
    }
  /** A person changed the call that waits: another call, under a question of its own. */
  | {
      readonly type: 'call.changed';
      readonly judged: Judged;
      readonly ruling: Ruling;
      readonly approval: PendingApproval;
    }
  /** One person's yes, where another one's is needed still. */
  | { readonly type: 'approval.counted'; readonly at: number; readonly by: Approver }
  /** Its time is over, and its session waits on. */
  | { readonly type: 'approval.paused'; readonly at: number }
  /** A person gave it more time. */
  | { readonly type: 'approval.extended'; readonly by: Approver; readonly expiresAt: number }
  /** The last yes that was needed. */
  | { readonly type: 'approval.granted'; readonly at: number; readonly by: Approver }
  | { readonly type: 'command.queued'; readonly at: number }
  | { readonly type: 'lease.granted'; readonly lease: Lease; readonly at: number }
  /** What it holds while it runs is another lease now. */
  | { readonly type: 'lease.exchanged'; readonly lease: Lease }
  /** It ran, and nothing of it was put: it would change what nobody has agreed to. It is another call now. */
  | { readonly type: 'writes.withheld'; readonly verdict: Verdict }
  /** It ends without having run: refused, denied, expired, cancelled, stale in the queue. */
  | {
      readonly type: 'command.ended';
      readonly result: CommandResult;
      readonly approval?: Approval;
      /** The one that ended it. */
      readonly ruling?: Ruling;
    }
  /** The process is dead, and this is what came of it. */
  | { readonly type: 'execution.ended'; readonly result: CommandResult }
  /** Found `running` at a start, with nobody behind it. */
  | { readonly type: 'execution.orphaned'; readonly result: CommandResult };

/**
 * A command's life, and the only judge of what may follow what, in both backends:
 *
 *   submitted ─▶ classified ─▶ awaiting_approval ─▶ approved ─▶ queued ─▶ running ─▶ done
 *                    └────────── allowed ──────────────▲   ▲        │
 *                                                      │   └ asked ─┘ the mode changed while it waited
 *
 * In `awaiting_approval` it stays while one person has said yes and another one must, when its time is over and its
 * session waits on, and when it is asked anew:
 * files, policy or the call itself changed under the question. A new policy may also allow it.
 *
 * From `running` it goes back to `classified` when it would put what its call did not name and a person must agree to:
 * its process is dead and its files are gone, and a yes runs it again.
 *
 * In `running` it may exchange its lease: a transaction claims what it wrote when its process is dead.
 *
 * From every state but `running` it may go straight to `done`: refused, denied, expired, cancelled. `running`
 * is left only when the executor has said that the process is dead, or when nobody is left to say it.
 *
 * The machine is pure: it computes the next record. Whoever drives it (`command-life.ts`) stores that record
 * and its events first, and only then does what the new state asks for.
 */
const commandMachine = setup({ types: { events: {} as CommandEvent } }).createMachine({
  id: 'command',
  initial: 'submitted',
  states: {
    submitted: {
      on: {
        'call.classified': 'classified',
        'command.ended': 'done',
      },
    },
    classified: {
      on: {
        'ruling.allowed': 'approved',
        'ruling.asked': 'awaiting_approval',
        'command.ended': 'done',
      },
    },
    awaiting_approval: {
      on: {
        'approval.granted': 'approved',
        'approval.counted': 'awaiting_approval',
        'approval.paused': 'awaiting_approval',
        'approval.extended': 'awaiting_approval',
        'call.changed': 'awaiting_approval',
        'ruling.asked': 'awaiting_approval',
        'ruling.allowed': 'approved',
        'command.ended': 'done',
      },
    },
    approved: {
      on: {
        'command.queued': 'queued',
        'command.ended': 'done',
      },
    },
    queued: {
      on: {
        'lease.granted': 'running',
        'ruling.asked': 'awaiting_approval',
        'command.ended': 'done',
      },
    },
    running: {
      on: {
        'lease.exchanged': 'running',
        'writes.withheld': 'classified',
        'execution.ended': 'done',
        'execution.orphaned': 'done',
      },
    },
    done: { type: 'final' },
  },
});

/**
 * The machine's arrows, by state and event. It is asked once: a walk through it at each step takes more than
 * all the rest of a command, most of it in garbage.
 */
const ARROWS: ReadonlyMap<string, CommandState> = new Map(
  Object.entries(commandMachine.states).flatMap(([state, node]) =>
    [...node.transitions].flatMap(([event, [transition]]) =>
      (transition?.target ?? []).map(
        (target) => [`${state} ${event}`, CommandState.parse(target.key)] as const,
      ),
    ),
  ),
);

/**
 * The record after an event, its revision unchanged; `null` when the event may not happen in that state,
 * which is an answer: a cancel that comes too late, a second approval.
 */
export function advance(record: CommandRecord, event: CommandEvent): CommandRecord | null {
  const state = ARROWS.get(`${record.state} ${event.type}`);
  return state === undefined ? null : { ...recordAfter(record, event), state };
}

/** Every event's facts go into the record here. */
function recordAfter(record: CommandRecord, event: CommandEvent): CommandRecord {
  switch (event.type) {
    case 'call.classified':
      return { ...record, ...event.judged };
    case 'ruling.allowed':
      // Where a question was open, it is nobody's to answer any more.
      return { ...record, ruling: event.ruling, approval: null, approvedAt: event.at };
    case 'ruling.asked':
      return {
        ...record,
        verdict: raisedBy(event.approval.base, record.verdict),
        ruling: event.ruling,
        approval: event.approval,
        callHash: event.callHash,
        approvedAt: null,
      };
    case 'call.changed':
      return {
        ...record,
        ...event.judged,
        verdict: raisedBy(event.approval.base, event.judged.verdict),
        ruling: event.ruling,
        approval: { ...event.approval, modifiedFrom: record.approval?.modifiedFrom ?? record.call },
      };
    case 'approval.counted':
      return { ...record, approval: counted(record, event) };
    case 'approval.paused':
      return { ...record, approval: { ...pendingOf(record), pausedAt: event.at } };
    case 'approval.extended': {
      const { pausedAt: _, ...approval } = pendingOf(record);
      return { ...record, approval: { ...approval, expiresAt: event.expiresAt } };
    }
    case 'approval.granted':
      return {
        ...record,
        approval: { ...counted(record, event), status: 'granted', by: event.by, answeredAt: event.at },
        approvedAt: event.at,
      };
    case 'command.queued':
      return { ...record, queuedAt: event.at };
    case 'lease.granted':
      return { ...record, lease: event.lease, startedAt: event.at };
    case 'lease.exchanged':
      return { ...record, lease: event.lease, claims: event.lease.claims };
    case 'writes.withheld':
      return {
        ...record,
        verdict: event.verdict,
        lease: null,
        approvedAt: null,
        queuedAt: null,
        startedAt: null,
      };
    case 'command.ended':
      return ended(
        {
          ...record,
          approval: event.approval ?? record.approval,
          ruling: event.ruling ?? record.ruling,
        },
        event.result,
      );
    case 'execution.ended':
    case 'execution.orphaned':
      return ended(record, event.result);
  }
}

/** The question with one more person's yes. */
function counted(
  record: CommandRecord,
  { by, at }: CommandEvent & { type: 'approval.counted' | 'approval.granted' },
): PendingApproval {
  const approval = pendingOf(record);
  return { ...approval, grants: [...approval.grants, { by, at }] };
}

function pendingOf({ id, approval }: CommandRecord): PendingApproval {
  if (approval?.status !== 'pending') throw new InvariantError(`Cannot answer ${id}: nothing was asked`);
  return approval;
}

function ended(record: CommandRecord, result: CommandResult): CommandRecord {
  return { ...record, result, endedAt: result.endedAt };
}
