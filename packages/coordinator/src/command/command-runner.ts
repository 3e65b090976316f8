import {
  type Approver,
  type CallHash,
  type CommandRecord,
  type CommandResult,
  InvariantError,
  type Lease,
  type NewEvent,
  publishedStatus,
  type PublishedStatus,
  type RawCall,
} from '@signalbox/core';
import type { CancelAnswer } from '../coordinator-api.ts';
import type { CancelMode } from '../cancel-mode.ts';
import { asking } from './actions/ask.ts';
import { claiming } from './actions/claims.ts';
import { executing } from './actions/execute.ts';
import { judging } from './actions/judge.ts';
import { reusing } from './actions/reuse.ts';
import type { StepPerformers } from './actions/performers.ts';
import { settling } from './actions/settle.ts';
import { waitingFor } from './actions/wait.ts';
import { advance, restore, stateName, withStep } from './advance.ts';
import type { ChangedEvent, CommandEvent, GrantAnswer, Refusal, Request } from './command-event.ts';
import { eventsOf, submittedEvent } from './command-events.ts';
import { resultWithoutRun } from './command-result.ts';
import type { CommandAction } from './command-setup.ts';
import type { StepListener } from './led-command.ts';
import type { RunnerDependencies } from './runner-dependencies.ts';
import { lost } from './outcome/outcome-of.ts';
import { openQuestion } from './record-after.ts';
import { createSerialQueue } from './serial-queue.ts';
import { createStopwatch } from './stopwatch.ts';

/** Drives one command, from its call to its result. */
export type CommandRunner = {
  readonly record: () => CommandRecord;
  /** The record after the current step: its events are published before the step is completed. */
  afterStep(): Promise<CommandRecord>;
  readonly resting: Promise<PublishedStatus>;
  readonly result: Promise<CommandResult>;
  /** Judges a new call and continues. */
  begin(call: RawCall): void;
  /** Continues a command that a restart found before `running`. */
  resume(): void;
  /** Settles a command that a restart found `running`, or ended in the audit only, and never runs it again. */
  unled(): Promise<void>;
  /** `expect` is the hash of the call that the person saw. */
  grant(by: Approver, expect: CallHash, changed?: ChangedEvent): Promise<GrantAnswer>;
  /** False if no such approval is pending. */
  refuse(by: Approver, expect: CallHash, refusal?: Refusal): Promise<boolean>;
  /** Answers a question; false if it is not pending. */
  answerQuestion(by: Approver, expect: CallHash, answer: Readonly<{ text: string }>): Promise<boolean>;
  /** Extends a pending approval; returns its new expiry, or null. */
  extend(by: Approver, expect: CallHash, options: Readonly<{ ms: number }>): Promise<number | null>;
  /** The policy has changed: a pending approval is requested again under the new one, or the call is denied. */
  askAgain(): void;
  cancel(by: string, options: Readonly<{ reason: string; haste?: CancelMode }>): Promise<CancelAnswer>;
  /** Notices from the scheduler. */
  leaseGranted(lease: Lease): void;
  leaseLost(lease: Lease): void;
  waitedTooLong(waitedMs: number): void;
  /** Another coordinator leads it now; its process is stopped. */
  handOver(): Promise<void>;
  /** Stops its process, if it has one, and resolves when that is dead. Nothing of it starts any more. */
  stop(): Promise<void>;
};

const FORGOTTEN = 'its record is missing: the store lost its last writes';

/**
 * Drives one command through its machine.
 *
 * All events of a command go through its own queue, and the results of an action are processed before the next request,
 * so steps never interleave. A step asks the machine for the next snapshot, stores the record with its events, and only
 * then performs the other actions. A process does not occupy the queue: a cancel must get through while it is alive.
 * Requests that must not wait for a running action are processed right after it (`urgent`).
 */
export function createCommandRunner(
  first: CommandRecord,
  parts: RunnerDependencies & StepListener,
): CommandRunner {
  const { clock, logger } = parts;
  const { id } = first;
  const stopwatch = createStopwatch(first, clock);
  const resting = Promise.withResolvers<PublishedStatus>();
  const result = Promise.withResolvers<CommandResult>();
  const serially = createSerialQueue();
  const urgent: Request[] = [];
  let snapshot = restore(first);
  /** Events of steps that are not stored yet. */
  let unstoredEvents: readonly NewEvent[] = [];
  let urgentTaken = 0;
  /** For the person whose answer is being processed. */
  let reply: PromiseWithResolvers<GrantAnswer> | undefined;

  const current = (): CommandRecord => snapshot.context.record;
  const isOver = (): boolean => ['done', 'elsewhere'].includes(stateName(snapshot));

  const execution = executing(parts, {
    lease: () => (snapshot.context.holding.kind === 'lease' ? snapshot.context.holding.lease : undefined),
    send,
  });
  const claims = reusing(parts, { claims: claiming(parts), stopwatch });
  const waiting = waitingFor(first, { ...parts, send, onWaiting: () => resting.resolve('pending') });
  const performers: StepPerformers<Exclude<CommandAction['type'], 'store' | 'storeIfPossible'>> = {
    ...judging(parts, (request) => serially(() => take(request))),
    ...asking(parts),
    ...claims,
    ...execution,
    ...waiting,
    ...settling(parts, { stopwatch, execution }),

    reply({ answer }) {
      if (answer === undefined) return;
      reply?.resolve(answer);
      reply = undefined;
    },
    replyFailed({ cause }) {
      reply?.reject(cause);
      reply = undefined;
    },

    releaseIfPossible: (params, record) => quietly(() => claims.release(params, record)),

    forget: () => parts.gone(id),
    answer({ result: given }, record) {
      resting.resolve(publishedStatus(record));
      result.resolve(given);
    },
    awaitElsewhere(_, record) {
      logger.warn({ commandId: id }, 'another coordinator leads this command now');
      void quietly(async () => {
        const found = await parts.resultElsewhere?.(id);
        if (found === undefined) return;
        send({ type: 'result.elsewhere', result: found ?? (await auditForgotten(record)) });
      });
    },
  };

  /** No other process knows of it any more: without this line there would be no trace of it. */
  function auditForgotten(record: CommandRecord): Promise<CommandResult> {
    const done = stopwatch.timed(
      resultWithoutRun(record, lost(FORGOTTEN), { endedAt: clock.now(), redact: parts.redact }),
      false,
    );
    return parts.audit(record, done, async () => undefined);
  }

  /** For cleanup at the end: it is attempted, and a failure is logged. */
  async function quietly(task: () => unknown): Promise<void> {
    try {
      await task();
    } catch (error) {
      logger.error({ commandId: id, error }, 'ending not complete');
    }
  }

  /** For a request without a waiting caller. */
  function send(request: Request): void {
    void serially(() => take(request));
  }

  function sendUrgently(request: Request): Promise<void> {
    urgent.push(request);
    return serially(takeUrgent);
  }

  async function takeUrgent(): Promise<void> {
    for (let request = urgent.shift(); request !== undefined; request = urgent.shift()) {
      if (await take(request)) urgentTaken += 1;
    }
  }

  /**
   * Processes a request and everything that follows from it; an internal failure ends the command. False if it is not
   * possible now.
   */
  async function take(request: CommandEvent): Promise<boolean> {
    try {
      return await step(request);
    } catch (cause) {
      const failed = { type: 'runner.failed', cause, answering: reply !== undefined } as const;
      await quietly(async () => {
        if (!(await step(failed)) && !isOver()) throw cause;
      });
      return true;
    }
  }

  async function step(event: CommandEvent): Promise<boolean> {
    const from = stateName(snapshot);
    const before = current();
    const next = advance(snapshot, event);
    if (next === null) return false;
    const state = stateName(next.snapshot);
    const types = next.actions.map(({ type }) => type);
    const record = withStep(next, { from, event, at: clock.now() });
    const events = [...unstoredEvents, ...eventsOf(event, { before, record, pid: parts.pid })];
    if (types.includes('store')) await store(record, events);
    if (types.includes('storeIfPossible')) await quietly(() => store(record, events));
    unstoredEvents = record.revision === before.revision ? events : [];
    snapshot = next.snapshot;
    parts.stepped(id, { type: event.type, snapshot, actions: types });
    stopwatch.note(record);
    if (state === 'queued.waiting') resting.resolve('queued');
    if (state === 'running.working') resting.resolve('running');
    if (types.length > 0) await perform(next.actions);
    return true;
  }

  async function store(record: CommandRecord, events: readonly NewEvent[]): Promise<void> {
    const kept = record.state === 'done' ? parts.withoutSecrets(record) : record;
    await parts.store.commit(kept, record.revision === 1 ? [submittedEvent(record), ...events] : events);
  }

  async function perform(actions: readonly CommandAction[]): Promise<void> {
    const outcomes: CommandEvent[] = [];
    const seen = urgentTaken;
    let failed: { readonly cause: unknown } | undefined;
    try {
      for (const { type, params } of actions) {
        if (type === 'store' || type === 'storeIfPossible') continue;
        const came = performers[type](params as never, current());
        outcomes.push(...((came instanceof Promise ? await came : came) ?? []));
      }
    } catch (cause) {
      failed = { cause };
    }
    for (const outcome of outcomes) {
      if (urgent.length > 0) await takeUrgent();
      if ((await step(outcome)) || isOver() || urgentTaken > seen) continue;
      throw new InvariantError(`Cannot take ${outcome.type} of ${id} in ${stateName(snapshot)}`);
    }
    if (failed !== undefined) throw failed.cause;
  }

  /** Processes a person's answer. A timer may be late after the machine slept, so an expiry is processed first. */
  function takeAnswer(request: Request): Promise<boolean> {
    return serially(async () => {
      await take(waiting.due());
      return take(request);
    });
  }

  return {
    record: current,
    afterStep: () => serially(async () => current()),
    resting: resting.promise,
    result: result.promise,
    begin: (call) => send({ type: 'call.received', call }),
    resume: () => send({ type: 'command.resumed' }),
    unled: () =>
      serially(async () => {
        const outcome = parts.auditedOutcome(id) ?? lost('Signalbox ended while it ran');
        await take({ type: 'command.orphaned', outcome });
      }),
    async grant(by, expect, changed) {
      const replied = Promise.withResolvers<GrantAnswer>();
      void serially(async () => {
        await take(waiting.due());
        reply = replied;
        await take({ type: 'approval.given', by, expect, changed });
        reply = undefined;
        replied.resolve({ kind: 'closed' });
      });
      return replied.promise;
    },
    refuse: (by, expect, { reason } = {}) =>
      takeAnswer({ type: 'approval.refused', by, expect, reason, at: clock.now() }),
    answerQuestion: (by, expect, { text }) =>
      takeAnswer({ type: 'question.answered', by, expect, text: parts.redact.text(text), at: clock.now() }),
    async extend(by, expect, { ms }) {
      const isExtended = await takeAnswer({ type: 'approval.extended', by, expect, ms, at: clock.now() });
      return isExtended ? (openQuestion(current())?.expiresAt ?? null) : null;
    },
    askAgain: () => send({ type: 'policy.changed' }),
    cancel: (by, { reason, haste = 'gently' }) =>
      serially(async (): Promise<CancelAnswer> => {
        const isTaken = await take({ type: 'cancel.requested', by, reason, haste });
        const record = current();
        if (stateName(snapshot).startsWith('running.')) return { kind: 'stopping' };
        if (isTaken && record.result?.outcome.kind === 'cancelled') return { kind: 'cancelled' };
        return { kind: 'already-done', record };
      }),
    leaseGranted(lease) {
      void serially(async () => {
        const isTaken = await take({ type: 'lease.granted', lease });
        if (!isTaken) await quietly(() => parts.scheduler.release(lease.leaseId));
      });
    },
    leaseLost: (lease) => void sendUrgently({ type: 'lease.lost', lease }),
    waitedTooLong: (waitedMs) => send({ type: 'wait.expired', waitedMs }),
    handOver: () => serially(() => take({ type: 'command.taken' })).then(() => undefined),
    async stop() {
      await sendUrgently({ type: 'coordinator.closing' });
      if (stateName(snapshot).startsWith('running.')) await result.promise;
    },
  };
}
