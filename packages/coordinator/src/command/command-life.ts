import {
  type Approver,
  type CallHash,
  type CommandRecord,
  type CommandResult,
  InvariantError,
  type Lease,
  type LeaseId,
  type PublishedStatus,
  type RawCall,
  type Ruling,
} from '@signalbox/core';
import type { CancelAnswer } from '../coordinator-api.ts';
import type { CommandEvent, Judged } from './command.machine.ts';
import { resultOfRun, resultWithoutRun } from './command-result.ts';
import { createEnding } from './ending.ts';
import type { Ran, RunningCall } from './execute-call.ts';
import type { LifeParts } from './life-parts.ts';
import { cancelled, denial, lost } from './outcome-of.ts';
import { createPlace } from './place.ts';
import { createRecordKeeper } from './record-keeper.ts';

/** One command, from its call to its result. */
export type CommandLife = {
  readonly record: () => CommandRecord;
  readonly resting: Promise<PublishedStatus>;
  readonly result: Promise<CommandResult>;
  /** A new call: judges it and goes on. */
  begin(call: RawCall): void;
  /** A command that a restart found before `running`: goes on where it stood. */
  resume(): void;
  /** A command that a restart found `running`, or ended in the audit alone: settles it, and never runs it again. */
  orphan(): Promise<void>;
  /** False when no such question is open. `expect` is the hash of the call that the person saw. */
  grant(by: Approver, expect: CallHash, changed?: Judged): Promise<boolean>;
  refuse(by: Approver, expect: CallHash, reason?: string): Promise<boolean>;
  /** The policy has changed: an open question is asked anew under the new one, or the call is refused. */
  askAgain(): void;
  cancel(by: string, reason: string): Promise<CancelAnswer>;
  /** The scheduler's news. */
  leaseGranted(lease: Lease): void;
  leaseLost(lease: Lease): void;
  waitedTooLong(waitedMs: number): void;
  /** Stops its process, if it has one, and settles when that is dead. Nothing of it starts any more. */
  stop(): Promise<void>;
};

/** An approval that nobody has answered yet. */
type Question = Extract<NonNullable<CommandRecord['approval']>, { status: 'pending' }>;

/** Timers go no further; a longer question is looked at again then. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const POLICY_CHANGED = 'the policy changed since it was asked';
const STOPPING = { kind: 'cancelled', by: 'signalbox', reason: 'Signalbox is stopping' } as const;

/**
 * Drives one command through its machine.
 *
 * All that happens to a command goes through one queue of its own, so steps never interleave. A step asks the
 * machine for the next record, stores that record with its events, and only then acts on it. `running` is the
 * exception that does not occupy the queue: a cancel must get through while the process lives.
 */
export function createCommandLife(first: CommandRecord, parts: LifeParts): CommandLife {
  const { scheduler, clock, redact } = parts;
  const keeper = createRecordKeeper(first, parts);
  const { current, step } = keeper;
  const place = createPlace(first.id, scheduler);
  const resting = Promise.withResolvers<PublishedStatus>();
  let tail: Promise<unknown> = Promise.resolve();
  let running: RunningCall | undefined;
  let lostLease: LeaseId | undefined;
  let cancelExpiry: () => void = () => undefined;
  let stopping = false;
  const ending = createEnding(parts, {
    keeper,
    place,
    onGiven(status) {
      cancelExpiry();
      resting.resolve(status);
    },
  });
  const { end, settle, collapse, quietly, isOver } = ending;

  function serially<T>(task: () => Promise<T>): Promise<T> {
    const next = tail.then(task);
    tail = next.catch(() => undefined);
    return next;
  }

  /** For what nobody waits for: a task that fails ends the command, whatever it was doing. */
  function inBackground(task: () => Promise<void>): void {
    void serially(async () => {
      if (!isOver()) await task().catch(collapse);
    });
  }

  async function judge(call: RawCall): Promise<void> {
    const judgement = await parts.judge(call, first.context);
    if (judgement.kind === 'rejected') {
      keeper.describe(judgement.title, judgement.args);
      return end(judgement.outcome);
    }
    const { judged, ruling } = judgement;
    keeper.describe(judged.title);
    const before: CommandEvent[] = [{ type: 'call.classified', judged }];
    if (ruling.kind === 'deny') return end(denial(ruling), { before, ruling });
    const refusal = await parts.takeCounters(judgement);
    if (refusal !== undefined) return end(refusal, { before });
    if (ruling.kind === 'ask') return ask(ruling, before);
    await step([...before, { type: 'ruling.allowed', ruling, at: clock.now() }]);
    return enqueue();
  }

  async function ask(ruling: Ruling, before: readonly CommandEvent[]): Promise<void> {
    if (first.context.asking === 'never') return end(parts.nobodyToAsk(), { before, ruling });
    const asked = keeper.preview(before);
    const callHash = parts.hashNow(asked) ?? asked.callHash;
    if (callHash === null) throw new InvariantError(`Cannot ask about ${first.id}: it was never judged`);
    await step([...before, { type: 'ruling.asked', ruling, approval: parts.ask(callHash) }]);
    awaitApproval();
  }

  /** The question that is open may rest on a policy that is not there any more. */
  async function askAgain(): Promise<void> {
    const approval = pendingApproval();
    if (approval === undefined || stopping || parts.hashNow(current()) === approval.callHash) return;
    const ruling = await parts.judgeAgain(current());
    if (ruling.kind === 'deny')
      return end(denial(ruling), { ruling, approval: { ...approval, status: 'expired' } });
    cancelExpiry();
    return ask(
      ruling.kind === 'ask' ? ruling : { ...ruling, kind: 'ask', reason: POLICY_CHANGED, approvers: 1 },
      [],
    );
  }

  function pendingApproval(): Question | undefined {
    const { state, approval } = current();
    return state === 'awaiting_approval' && approval?.status === 'pending' ? approval : undefined;
  }

  function awaitApproval(): void {
    resting.resolve('pending');
    const leftMs = (pendingApproval()?.expiresAt ?? 0) - clock.now();
    cancelExpiry = clock.timer(Math.min(Math.max(leftMs, 0), LONGEST_TIMER_MS), () => inBackground(expire));
  }

  async function expire(): Promise<void> {
    const approval = pendingApproval();
    if (approval === undefined || stopping) return;
    if (clock.now() < approval.expiresAt) return awaitApproval();
    await end(parts.expired(approval), { approval: { ...approval, status: 'expired' } });
  }

  /** The question that this answer is for, if it is still open: a timer may be late, after a sleep of the machine. */
  async function answerable(expect: CallHash): Promise<Question | undefined> {
    const approval = pendingApproval();
    if (approval === undefined || clock.now() < approval.expiresAt) {
      return approval?.callHash === expect ? approval : undefined;
    }
    await expire().catch(collapse);
    return undefined;
  }

  /** Also after a restart: the scheduler of the last process is gone, with its queue. */
  async function enqueue(): Promise<void> {
    // It stays as it is stored, for the next start.
    if (stopping) return;
    const { id, claims, context } = current();
    const answer = await place.enter({
      commandId: id,
      provider: context.provider,
      claims,
      priority: context.priority,
    });
    if (answer.kind === 'refused') return end(parts.queueFull(answer));
    if (answer.kind === 'granted') return start(answer.lease);
    if (current().state === 'approved')
      await step([{ type: 'command.queued', at: clock.now() }], answer.blockers);
    resting.resolve('queued');
  }

  /** With a lease in hand: judged once more, because mode, policy or approval may have changed in the wait. */
  async function start(lease: Lease): Promise<void> {
    place.hold(lease);
    const ruling = await parts.judgeAgain(current());
    if (stopping) return place.leave();
    const queued: CommandEvent[] =
      current().state === 'queued' ? [] : [{ type: 'command.queued', at: clock.now() }];
    if (ruling.kind === 'allow') {
      await step([...queued, { type: 'lease.granted', lease, at: clock.now() }]);
      resting.resolve('running');
      return execute(lease);
    }
    await place.leave();
    if (ruling.kind === 'deny') return end(denial(ruling), { before: queued, ruling });
    return ask(ruling, queued);
  }

  function execute(lease: Lease): void {
    const { call, output } = parts.execute(current(), lease);
    running = call;
    if (lostLease === lease.leaseId) call.interrupt({ kind: 'lease-lost' });
    void call.ended.then((ran) => inBackground(() => finish(ran, output.end())));
  }

  async function finish(ran: Ran, flushed: Promise<void>): Promise<void> {
    running = undefined;
    await flushed;
    const done = resultOfRun(current(), { ...ran, endedAt: clock.now() }, redact);
    await settle({ type: 'execution.ended', result: done });
  }

  return {
    record: current,
    resting: resting.promise,
    result: ending.result,
    begin: (call) => inBackground(() => judge(call)),
    resume: () =>
      inBackground(async () => {
        if (current().state === 'awaiting_approval') return awaitApproval();
        return enqueue();
      }),
    orphan: () =>
      serially(async () => {
        const outcome = parts.auditedOutcome(first.id) ?? lost('Signalbox ended while it ran');
        const done = resultWithoutRun(current(), outcome, clock.now(), redact);
        const type = current().state === 'running' ? 'execution.orphaned' : 'command.ended';
        await settle({ type, result: done });
      }),
    grant: (by, expect, changed) =>
      serially(async () => {
        if ((await answerable(expect)) === undefined) return false;
        const news = changed === undefined ? {} : { changed };
        await step([{ type: 'approval.granted', at: clock.now(), by, ...news }]);
        cancelExpiry();
        inBackground(enqueue);
        return true;
      }),
    refuse: (by, expect, reason) =>
      serially(async () => {
        const approval = await answerable(expect);
        if (approval === undefined) return false;
        const why = reason === undefined ? {} : { reason };
        const refused = { ...approval, ...why, status: 'refused', by, answeredAt: clock.now() } as const;
        await end(parts.refused(by, reason), { approval: refused }).catch(collapse);
        return true;
      }),
    askAgain: () => inBackground(askAgain),
    cancel: (by, reason) =>
      serially(async (): Promise<CancelAnswer> => {
        if (isOver()) return { kind: 'already-done', record: current() };
        if (running !== undefined) {
          running.interrupt({ kind: 'cancelled', by, reason });
          return { kind: 'stopping' };
        }
        await end(cancelled(by, reason)).catch(collapse);
        const record = current();
        const isCancelled = record.result?.outcome.kind === 'cancelled';
        return isCancelled ? { kind: 'cancelled' } : { kind: 'already-done', record };
      }),
    leaseGranted(lease) {
      void serially(() => quietly(async () => (isOver() ? scheduler.release(lease.leaseId) : undefined)));
      inBackground(() => start(lease));
    },
    leaseLost(lease) {
      lostLease = lease.leaseId;
      running?.interrupt({ kind: 'lease-lost' });
    },
    waitedTooLong: (waitedMs) =>
      inBackground(async () => {
        if (current().state === 'queued' && !stopping) await end(parts.waitedTooLong(waitedMs));
      }),
    async stop() {
      stopping = true;
      await serially(async () => cancelExpiry());
      if (running === undefined) return;
      running.interrupt(STOPPING);
      await ending.result;
    },
  };
}
