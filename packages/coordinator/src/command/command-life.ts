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
import { type Withheld, withWithheld } from '../execution/judge-writes.ts';
import type { Haste } from '../haste.ts';
import { noting, repeatNote } from '../judging/repeat-gate.ts';
import { type Changed, createAsking, type GrantAnswer } from './asking.ts';
import { resultOfRun, resultWithoutRun, tellingChanges, withNotes } from './command-result.ts';
import type { CommandEvent } from './command.machine.ts';
import { createEnding } from './ending.ts';
import type { OutsideEdits } from '../execution/outside-edits.ts';
import type { Ran, RunningCall } from './execute-call.ts';
import type { LifeParts } from './life-parts.ts';
import { cancelled, denial, lost } from './outcome-of.ts';
import { createPlace, type Hold } from './place.ts';
import { createRecordKeeper } from './record-keeper.ts';

/** One command, from its call to its result. */
export type CommandLife = {
  readonly record: () => CommandRecord;
  /** The record after the step that is under way: its events are told before it is taken to its end. */
  afterStep(): Promise<CommandRecord>;
  readonly resting: Promise<PublishedStatus>;
  readonly result: Promise<CommandResult>;
  /** A new call: judges it and goes on. */
  begin(call: RawCall): void;
  /** A command that a restart found before `running`: goes on where it stood. */
  resume(): void;
  /** A command that a restart found `running`, or ended in the audit alone: settles it, and never runs it again. */
  orphan(): Promise<void>;
  /** `expect` is the hash of the call that the person saw. */
  grant(by: Approver, expect: CallHash, changed?: Changed): Promise<GrantAnswer>;
  /** False when no such question is open. */
  refuse(by: Approver, expect: CallHash, reason?: string): Promise<boolean>;
  /** More time for an open question; when it expires now, or null. */
  extend(by: Approver, expect: CallHash, ms: number): Promise<number | null>;
  /** The policy has changed: an open question is asked anew under the new one, or the call is refused. */
  askAgain(): void;
  cancel(by: string, reason: string, haste?: Haste): Promise<CancelAnswer>;
  /** The scheduler's news. */
  leaseGranted(lease: Lease): void;
  leaseLost(lease: Lease): void;
  waitedTooLong(waitedMs: number): void;
  /** Another coordinator leads it now; a process of it is stopped. */
  handOver(): Promise<void>;
  /** Stops its process, if it has one, and settles when that is dead. Nothing of it starts any more. */
  stop(): Promise<void>;
};

/** A rule that lets the line run says nothing of what else it changes. */
function asked(ruling: Ruling): Ruling {
  const { rule, source, reason } = ruling;
  return { kind: 'ask', rule, source, reason, approvers: 1 };
}

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
  let stopping = false;
  /** What its model is told that made the same call before. */
  let repeated: readonly [string] | undefined;
  const ending = createEnding(parts, {
    keeper,
    place,
    onGiven(status) {
      asking.stop();
      resting.resolve(status);
    },
  });
  const { end, settle, collapse, quietly, isOver } = ending;
  const asking = createAsking(parts, {
    keeper,
    ending,
    inBackground,
    onWaiting: () => resting.resolve('pending'),
    goOn: enqueue,
    isStopping: () => stopping,
  });

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
    const times = await parts.timesMade(call, first.context, judgement);
    const note = repeatNote(times, parts.repeatLimits);
    if (note !== undefined) repeated = [note];
    if (judgement.kind === 'rejected') {
      keeper.describe(judgement.title, judgement.args);
      return end(noting(judgement.outcome, note));
    }
    const { judged, ruling } = judgement;
    keeper.describe(judged.title);
    const before: CommandEvent[] = [{ type: 'call.classified', judged }];
    if (ruling.kind === 'deny') return end(noting(denial(ruling), note), { before, ruling });
    const refusal = await parts.takeCounters(judgement);
    if (refusal !== undefined) return end(refusal, { before });
    if (times >= (parts.repeatLimits.refuse ?? Infinity)) return end(parts.repeated(times), { before });
    if (ruling.kind === 'ask') return asking.ask(ruling, before);
    await step([...before, { type: 'ruling.allowed', ruling, at: clock.now() }]);
    return enqueue();
  }

  /** Also after a restart: the scheduler of the last process is gone, with its queue. */
  async function enqueue(): Promise<void> {
    // It stays as it is stored, for the next start.
    if (stopping) return;
    const { id, context } = current();
    const answer = await place.enter({
      commandId: id,
      provider: context.provider,
      claims: parts.claimsOf(current()),
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
    const { ruling, why } = await parts.judgeAgain(current());
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
    return asking.ask(ruling, queued, why);
  }

  const hold: Hold = {
    lease: place.lease,
    async exchange(claims, { placeless, signal }) {
      const { id, context } = current();
      const { provider, priority } = context;
      const entry = { commandId: id, provider, claims, priority, placeless };
      const lease = await place.exchange(entry, signal);
      if (lease !== null) await serially(() => step([{ type: 'lease.exchanged', lease }]));
      return lease;
    },
  };

  function execute(lease: Lease): void {
    const { call, output, edits } = parts.execute(current(), hold);
    running = call;
    if (lostLease === lease.leaseId) call.interrupt({ kind: 'lease-lost' });
    void call.ended.then((ran) => inBackground(() => finish(ran, output.end(), edits)));
  }

  async function finish(ran: Ran, flushed: Promise<void>, edits: OutsideEdits): Promise<void> {
    running = undefined;
    await flushed;
    if (ran.withheld !== undefined && !stopping) return askForWrites(ran.withheld);
    const done = keeper.timed(resultOfRun(current(), { ...ran, endedAt: clock.now() }, redact), true);
    const edited = (await edits.look()).map(redact.text);
    const changed = parts.changedUnderneath(current(), done, edited);
    const notes = await parts.ran(current(), done);
    await settle({
      type: 'execution.ended',
      result: withNotes(tellingChanges(done, changed), [...notes, ...(repeated ?? [])]),
    });
  }

  /** Nothing of it was put, and its process is dead: the same call, now known to change more. */
  async function askForWrites(withheld: readonly Withheld[]): Promise<void> {
    const { verdict } = current();
    if (verdict === null) throw new InvariantError(`Cannot ask about ${first.id}: it was never judged`);
    await place.leave();
    const again: CommandEvent = { type: 'writes.withheld', verdict: withWithheld(verdict, withheld) };
    const { ruling } = await parts.judgeAgain(keeper.preview([again]));
    if (ruling.kind === 'deny') return end(denial(ruling), { before: [again], ruling });
    const paths = withheld.flatMap(({ effect }) => ('path' in effect ? [redact.text(effect.path)] : []));
    return asking.ask(ruling.kind === 'ask' ? ruling : asked(ruling), [again], { because: 'writes', paths });
  }

  return {
    record: current,
    afterStep: () => serially(async () => current()),
    resting: resting.promise,
    result: ending.result,
    begin: (call) => inBackground(() => judge(call)),
    resume: () =>
      inBackground(async () => {
        if (current().state === 'awaiting_approval') return asking.wait();
        return enqueue();
      }),
    orphan: () =>
      serially(async () => {
        const outcome = parts.auditedOutcome(first.id) ?? lost('Signalbox ended while it ran');
        const done = keeper.timed(resultWithoutRun(current(), outcome, clock.now(), redact));
        const type = current().state === 'running' ? 'execution.orphaned' : 'command.ended';
        await settle({ type, result: done });
      }),
    grant: (by, expect, changed) => serially(() => asking.grant(by, expect, changed)),
    refuse: (by, expect, reason) => serially(() => asking.refuse(by, expect, reason)),
    extend: (by, expect, ms) => serially(() => asking.extend(by, expect, ms)),
    askAgain: () => inBackground(asking.askUnderNewPolicy),
    cancel: (by, reason, haste) =>
      serially(async (): Promise<CancelAnswer> => {
        if (isOver()) return { kind: 'already-done', record: current() };
        if (running !== undefined) {
          running.interrupt({ kind: 'cancelled', by, reason }, haste);
          return { kind: 'stopping' };
        }
        await end(cancelled(by, reason)).catch(collapse);
        const record = current();
        const isCancelled = record.result?.outcome.kind === 'cancelled';
        return isCancelled ? { kind: 'cancelled' } : { kind: 'already-done', record };
      }),
    leaseGranted(lease) {
      if (place.granted(lease)) return;
      void serially(() => quietly(async () => (isOver() ? scheduler.release(lease.leaseId) : undefined)));
      inBackground(() => start(lease));
    },
    leaseLost(lease) {
      lostLease = lease.leaseId;
      running?.interrupt({ kind: 'lease-lost' });
    },
    waitedTooLong(waitedMs) {
      if (place.giveUp()) return;
      inBackground(async () => {
        if (current().state === 'queued' && !stopping) await end(parts.waitedTooLong(waitedMs));
      });
    },
    handOver: () =>
      serially(async () => {
        running?.interrupt({ kind: 'lease-lost' });
        await ending.handOver();
      }),
    async stop() {
      stopping = true;
      await serially(async () => asking.stop());
      if (running === undefined) return;
      running.interrupt(STOPPING);
      await ending.result;
    },
  };
}
