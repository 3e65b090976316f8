import {
  type Approver,
  type CommandRecord,
  type CommandResult,
  InvariantError,
  type Lease,
  type NewEvent,
  type Outcome,
  publishedStatus,
  type PublishedStatus,
  type RawCall,
} from '@signalbox/core';
import type { CancelAnswer } from '../coordinator-api.ts';
import type { CommandEvent, Judged } from './command.machine.ts';
import { submittedEvent } from './command-events.ts';
import { resultOfRun, resultWithoutRun } from './command-result.ts';
import type { Ran, RunningCall } from './execute-call.ts';
import type { LifeParts } from './life-parts.ts';
import { cancelled, collapsed, denial, lost } from './outcome-of.ts';
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
  /** A command that a restart found `running`: nobody knows what it did. */
  orphan(): Promise<void>;
  grant(by: Approver, changed?: Judged): Promise<boolean>;
  refuse(by: Approver, reason?: string): Promise<boolean>;
  cancel(by: string, reason: string): Promise<CancelAnswer>;
  /** The scheduler's news. */
  leaseGranted(lease: Lease): void;
  leaseLost(): void;
  waitedTooLong(waitedMs: number): void;
  /** Stops its process, if it has one, and settles when that is dead. */
  stop(): Promise<void>;
};

/**
 * Drives one command through its machine.
 *
 * All that happens to a command goes through one queue of its own, so steps never interleave. A step asks the
 * machine for the next record, stores that record with its events, and only then acts on it. `running` is the
 * exception that does not occupy the queue: a cancel must get through while the process lives.
 */
export function createCommandLife(first: CommandRecord, parts: LifeParts): CommandLife {
  const { scheduler, clock, logger, redact } = parts;
  const keeper = createRecordKeeper(first, parts);
  const { current, step } = keeper;
  const resting = Promise.withResolvers<PublishedStatus>();
  const result = Promise.withResolvers<CommandResult>();
  let tail: Promise<unknown> = Promise.resolve();
  let running: RunningCall | undefined;
  let cancelExpiry: () => void = () => undefined;

  function serially<T>(task: () => Promise<T>): Promise<T> {
    const next = tail.then(task);
    tail = next.catch(() => undefined);
    return next;
  }

  /** For what nobody waits for: a task that fails ends the command, whatever it was doing. */
  function inBackground(task: () => Promise<void>): void {
    void serially(() => task().catch(collapse));
  }

  async function judge(call: RawCall): Promise<void> {
    const judgement = await parts.judge(call, first.context);
    if (judgement.kind === 'rejected') {
      keeper.entitle(judgement.title);
      return end(judgement.outcome, { told: [submittedEvent(current())] });
    }
    keeper.entitle(judgement.judged.title);
    const told = [submittedEvent(current())];
    const classified: CommandEvent = { type: 'call.classified', judged: judgement.judged };
    const refusal =
      judgement.ruling.kind === 'deny' ? denial(judgement.ruling) : await parts.takeCounters(judgement);
    if (refusal !== undefined) return end(refusal, { told, before: [classified] });
    if (judgement.ruling.kind === 'allow') {
      await step([classified, { type: 'ruling.allowed', ruling: judgement.ruling, at: clock.now() }], told);
      return enqueue();
    }
    if (first.context.asking === 'never') return end(parts.nobodyToAsk(), { told, before: [classified] });
    const approval = parts.ask(judgement.judged.callHash);
    await step([classified, { type: 'ruling.asked', ruling: judgement.ruling, approval }], told);
    awaitApproval();
  }

  function awaitApproval(): void {
    resting.resolve('pending');
    const { approval } = current();
    if (approval === null) return;
    const leftMs = Math.max(0, approval.expiresAt - clock.now());
    cancelExpiry = clock.timer(leftMs, () => inBackground(expire));
  }

  async function expire(): Promise<void> {
    const { approval } = current();
    if (current().state !== 'awaiting_approval' || approval?.status !== 'pending') return;
    const { callHash, requestedAt, expiresAt } = approval;
    await end(parts.expired(approval), { approval: { status: 'expired', callHash, requestedAt, expiresAt } });
  }

  /** Also after a restart: the scheduler of the last process is gone, with its queue. */
  async function enqueue(): Promise<void> {
    const { id, claims, context } = current();
    const entry = { commandId: id, provider: context.provider, claims, priority: context.priority };
    const answer = await scheduler.enqueue(entry);
    if (answer.kind === 'refused') return end(parts.queueFull(answer));
    if (answer.kind === 'granted') return start(answer.lease);
    if (current().state === 'approved')
      await step([{ type: 'command.queued', at: clock.now() }], [], answer.blockers);
    resting.resolve('queued');
  }

  /** With a lease in hand: judged once more, because mode, policy or approval may have changed in the wait. */
  async function start(lease: Lease): Promise<void> {
    if (current().state === 'done') return scheduler.release(lease.leaseId);
    const queued: CommandEvent[] =
      current().state === 'queued' ? [] : [{ type: 'command.queued', at: clock.now() }];
    const ruling = await parts.judgeAgain(current());
    if (ruling.kind === 'allow') {
      const started = await step([...queued, { type: 'lease.granted', lease, at: clock.now() }]);
      if (!started) return scheduler.release(lease.leaseId);
      resting.resolve('running');
      return execute(lease);
    }
    await scheduler.release(lease.leaseId);
    if (ruling.kind === 'deny') return end(denial(ruling), { before: queued });
    await step([...queued, { type: 'ruling.asked', ruling, approval: parts.ask(ruling.callHash) }]);
    awaitApproval();
  }

  function execute(lease: Lease): void {
    const { call, output } = parts.execute(current(), lease);
    running = call;
    void call.ended.then((ran) => inBackground(() => finish(lease, ran, output.end())));
  }

  async function finish(lease: Lease, ran: Ran, flushed: Promise<void>): Promise<void> {
    running = undefined;
    await flushed;
    await scheduler.release(lease.leaseId);
    const done = resultOfRun(current(), { ...ran, endedAt: clock.now() }, redact);
    await settle(done, { type: 'execution.ended', result: done });
  }

  async function end(
    outcome: Outcome,
    options: {
      told?: readonly NewEvent[];
      before?: readonly CommandEvent[];
      approval?: NonNullable<CommandRecord['approval']>;
    } = {},
  ): Promise<void> {
    const done = resultWithoutRun(current(), outcome, clock.now(), redact);
    const { told = [], before = [], approval } = options;
    const event: CommandEvent = {
      type: 'command.ended',
      result: done,
      ...(approval === undefined ? {} : { approval }),
    };
    await settle(done, event, told, before);
  }

  /** Audit first, then the record and its events, then the one result. */
  async function settle(
    done: CommandResult,
    event: CommandEvent,
    told: readonly NewEvent[] = [],
    before: readonly CommandEvent[] = [],
  ): Promise<void> {
    cancelExpiry();
    const answer = await parts.audit(keeper.preview(before), done);
    if (!(await step([...before, event], told)))
      throw new InvariantError(`Cannot end ${first.id} in ${current().state}`);
    parts.gone(first.id);
    resting.resolve(publishedStatus(current()));
    result.resolve(answer);
  }

  /** A part of ours failed: the command ends with a failure, its process stopped, and nothing is left open. */
  async function collapse(cause: unknown): Promise<void> {
    logger.error({ commandId: first.id, state: current().state, error: cause }, 'command collapsed');
    cancelExpiry();
    await quietly(() => giveBack());
    const done = resultWithoutRun(current(), collapsed(cause), clock.now(), redact);
    const answer = (await quietly(() => parts.audit(current(), done))) ?? done;
    const type = current().state === 'running' ? 'execution.ended' : 'command.ended';
    await quietly(() => step([{ type, result: done }]));
    parts.gone(first.id);
    resting.resolve('failed');
    result.resolve(answer);
  }

  async function giveBack(): Promise<void> {
    const { state, lease } = current();
    if (state === 'queued') await scheduler.cancel(first.id);
    if (lease !== null) await scheduler.release(lease.leaseId);
  }

  /** What is left to do for a collapsed command is tried, each for itself. */
  async function quietly<T>(task: () => Promise<T>): Promise<T | undefined> {
    try {
      return await task();
    } catch (cause) {
      logger.error({ commandId: first.id, error: cause }, 'collapse not complete');
      return undefined;
    }
  }

  return {
    record: current,
    resting: resting.promise,
    result: result.promise,
    begin: (call) => inBackground(() => judge(call)),
    resume() {
      inBackground(async () => {
        if (current().state === 'awaiting_approval') return awaitApproval();
        if (current().state === 'approved' || current().state === 'queued') return enqueue();
        return judge(current().call);
      });
    },
    orphan: () =>
      serially(async () => {
        const outcome = parts.auditedOutcome(first.id) ?? lost('Signalbox ended while it ran');
        const done = resultWithoutRun(current(), outcome, clock.now(), redact);
        await settle(done, { type: 'execution.orphaned', result: done });
      }),
    grant: (by, changed) =>
      serially(async () => {
        const at = clock.now();
        const told = await step([
          { type: 'approval.granted', at, by, ...(changed === undefined ? {} : { changed }) },
        ]);
        if (told) {
          cancelExpiry();
          inBackground(enqueue);
        }
        return told;
      }),
    refuse: (by, reason) =>
      serially(async () => {
        const { approval } = current();
        if (current().state !== 'awaiting_approval' || approval?.status !== 'pending') return false;
        const { callHash, requestedAt, expiresAt } = approval;
        const refused = { callHash, requestedAt, expiresAt, by, answeredAt: clock.now() };
        await end(parts.refused(by, reason), {
          approval: { status: 'refused', ...refused, ...(reason === undefined ? {} : { reason }) },
        });
        return true;
      }),
    cancel: (by, reason) =>
      serially(async (): Promise<CancelAnswer> => {
        if (current().state === 'done') return { kind: 'already-done', record: current() };
        if (current().state === 'running') {
          running?.interrupt({ kind: 'cancelled', by, reason });
          return { kind: 'stopping' };
        }
        if (current().state === 'queued') await scheduler.cancel(first.id);
        await end(cancelled(by, reason));
        return { kind: 'cancelled' };
      }),
    leaseGranted: (lease) => inBackground(() => start(lease)),
    leaseLost: () => running?.interrupt({ kind: 'lease-lost' }),
    waitedTooLong: (waitedMs) =>
      inBackground(async () => {
        if (current().state === 'queued') await end(parts.waitedTooLong(waitedMs));
      }),
    async stop() {
      if (running === undefined) return;
      running.interrupt({ kind: 'cancelled', by: 'signalbox', reason: 'Signalbox is stopping' });
      await result.promise;
    },
  };
}
