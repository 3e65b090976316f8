import type {
  Approver,
  Claim,
  CommandRecord,
  CommandResult,
  Failure,
  Lease,
  Outcome,
  RawCall,
  Ruling,
} from '@signalbox/core';
import { setup } from 'xstate';
import type { CancelMode } from '../cancel-mode.ts';
import type { ChangedEvent, CommandEvent, GrantAnswer } from './command-event.ts';
import type { ExecutedCall } from './running/execute-call.ts';
import type { RepeatReason } from './runner-dependencies.ts';
import type { Interruption } from './outcome/outcome-of.ts';
import { openQuestion } from './record-after.ts';

/** What a command has in the scheduler. */
export type LeaseHolding =
  | { readonly kind: 'nothing' }
  /** It was enqueued, and the entry may be stored even if the reply was an error. */
  | { readonly kind: 'entry' }
  | { readonly kind: 'lease'; readonly lease: Lease };

export type MachineContext = {
  readonly record: CommandRecord;
  readonly holding: LeaseHolding;
  /** The claims it wants to exchange its lease for, while it runs. */
  readonly wanted: { readonly claims: readonly Claim[]; readonly placeless: boolean } | null;
  /** For its model: that it made the same call before. */
  readonly note: string | null;
  /** Nothing starts any more. */
  readonly closing: boolean;
};

/** Actions do nothing here: they are data, and the runner performs them once the record is stored. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it types what an action is about
function effect<Params = undefined>(): (_: unknown, params: Params) => void {
  return () => undefined;
}

const ACTIONS = {
  /** The record and its events, before everything else of the same step. */
  store: effect(),
  judge: effect<{ call: RawCall }>(),
  askGates: effect(),
  /** Ends a request to a model. */
  stopGates: effect(),
  /** As it was ruled, unless a gate refused it. */
  proceed: effect<{ failure: Failure | undefined }>(),
  ask: effect<{ ruling: Ruling; why: RepeatReason | undefined; reply: GrantAnswer | undefined }>(),
  /** Its timer, also after a restart. */
  wait: effect(),
  stopWaiting: effect(),
  consider: effect<{ by: Approver; changed: ChangedEvent | undefined }>(),
  reply: effect<{ answer: GrantAnswer | undefined }>(),
  replyFailed: effect<{ cause: unknown }>(),
  noteGrant: effect(),
  noteRefusal: effect<{ by: Approver }>(),
  reconsider: effect(),
  enqueue: effect<{ wanted: MachineContext['wanted'] }>(),
  check: effect<{ lease: Lease }>(),
  execute: effect<{ lease: Lease }>(),
  interrupt: effect<{ why: Interruption; haste?: CancelMode }>(),
  /** Records the lease it holds now. */
  keepLease: effect<{ lease: Lease }>(),
  /** Ends a transaction's wait for its claims. */
  resume: effect<{ lease: Lease | null }>(),
  resumeFailed: effect<{ cause: unknown }>(),
  conclude: effect<{ ran: ExecutedCall; note: string | null }>(),
  judgeWithheld: effect<{ ran: ExecutedCall }>(),
  audit: effect<{ outcome: Outcome } | { result: CommandResult }>(),
  settleFailure: effect<{ cause: unknown }>(),
  storeIfPossible: effect(),
  release: effect<{ holding: LeaseHolding }>(),
  releaseIfPossible: effect<{ holding: LeaseHolding }>(),
  /** Its changes are partly applied: its claims stay held. */
  keepHeld: effect<{ holding: LeaseHolding }>(),
  /** Nothing more happens to it here. */
  forget: effect(),
  /** Returns the one result. */
  answer: effect<{ result: CommandResult }>(),
  awaitElsewhere: effect(),
};

type ActionParams = { readonly [Type in keyof typeof ACTIONS]: Parameters<(typeof ACTIONS)[Type]>[1] };

/** One kind of action with its parameters. */
export type ActionOf<Type extends keyof ActionParams> = {
  readonly type: Type;
  readonly params: ActionParams[Type];
};
export type CommandAction = { [Type in keyof ActionParams]: ActionOf<Type> }[keyof ActionParams];

/** The command machine's context, actions and guards; its states are in `command.machine.ts`. */
export const command = setup({
  types: { context: {} as MachineContext, events: {} as CommandEvent, input: {} as MachineContext },
  actions: ACTIONS,
  guards: {
    isClosing: ({ context }) => context.closing,
    isOpen: ({ context }) => !context.closing,
    /** The pending approval. */
    isToThis: ({ context, event }) =>
      'expect' in event && openQuestion(context.record)?.callHash === event.expect,
    isQuestion: ({ context }) => openQuestion(context.record)?.question !== undefined,
    /** A restart came between a person's answer and the end. */
    isAnsweredQuestion: ({ context: { record } }) =>
      record.approval?.status === 'granted' && record.approval.answer !== undefined,
    isRunningOut: ({ context }) => openQuestion(context.record)?.pausedAt === undefined,
    isDue: ({ context, event }) =>
      event.type === 'approval.due' && event.at >= (openQuestion(context.record)?.expiresAt ?? Infinity),
    pauses: ({ event }) => event.type === 'approval.due' && event.pauses,
    isReconsidered: ({ context }) => !context.closing && openQuestion(context.record) !== null,
    isAnswered: ({ event }) => event.type === 'ruling.asked' && event.answered,
    isAnswering: ({ context, event }) =>
      event.type === 'runner.failed' && event.answering && context.record.state === 'awaiting_approval',
    isGranted: ({ event }) => event.type === 'queue.answered' && event.answer.kind === 'granted',
    isRefused: ({ event }) => event.type === 'queue.answered' && event.answer.kind === 'refused',
    isHolding: ({ context }) => context.holding.kind === 'lease',
    isHeld: ({ context, event }) =>
      event.type === 'lease.lost' &&
      context.holding.kind === 'lease' &&
      context.holding.lease.leaseId === event.lease.leaseId,
    isWithheld: ({ context, event }) =>
      event.type === 'process.ended' && event.ran.withheld !== undefined && !context.closing,
    isPartlyApplied: ({ event }) =>
      event.type === 'audit.written' && event.result.rollback === 'rollback_failed',
  },
});
