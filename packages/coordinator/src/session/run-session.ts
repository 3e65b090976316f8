import type { CommandId } from '@signalbox/core';
import { createActor, toPromise } from 'xstate';
import { compressContext } from './compression/compress-context.ts';
import { compressionDue, REFUSED } from './compression/when-to-compress.ts';
import { commandIdOfCall } from './call-command-id.ts';
import { runCalls } from './run-calls.ts';
import { BROKEN, endWith, newContext, requireRoom, type SessionContext } from './session-context.ts';
import { createSessionJournal, type SessionJournal } from './session-journal.ts';
import type { SessionHandle, SessionOptions, SessionSummary } from './session-options.ts';
import { createSessionWriter } from './session-writer.ts';
import { resumedNote } from './own-notes.ts';
import { createInterruption, type SessionParts } from './session-parts.ts';
import { createSessionMachine } from './session.machine.ts';
import type { SessionEvent, SessionSteps } from './session-steps.ts';
import { defaultSystemPrompt } from './system-prompt.ts';
import { takeTurn } from './take-turn.ts';

const DEFAULT_MAX_ITERATIONS = 100;

/** Runs a provider on a task, turn by turn, until it is done or something ends it (B3). */
export function runSession(options: SessionOptions): SessionHandle {
  const { sessionId, clock, signal } = options;
  const stopping = new AbortController();
  const before = options.resumed?.step;
  const startedAt = clock.monotonic() - (before?.elapsedMs ?? 0);
  const elapsedMs = (): number => clock.monotonic() - startedAt;
  const parts = createParts(options, {
    stop: stopping.signal,
    elapsedMs,
    current: () => actor.getSnapshot().context,
  });
  const steps = createSteps(parts);
  const machine = createSessionMachine(steps, before?.at);
  const input =
    before?.context ??
    newContext(options.systemPrompt ?? defaultSystemPrompt, options.task, {
      maxTurns: options.maxIterations ?? DEFAULT_MAX_ITERATIONS,
    });
  const actor = options.sessions?.create(machine, sessionId, input) ?? createActor(machine, { input });
  options.sessions?.add(sessionId, {
    actor,
    provider: options.providerId,
    state: () => actor.getSnapshot().value,
    startedAt: clock.now(),
  });
  const ended = toPromise(actor);

  const stop = (reason: string): void => {
    actor.send({ type: 'cancel.requested', reason });
    parts.writer.amend(parts.current());
    stopping.abort();
  };
  const drain = (): void => {
    const reason: unknown = signal?.reason;
    stop(typeof reason === 'string' ? reason : 'Signalbox is stopping');
  };
  signal?.addEventListener('abort', drain, { once: true });
  actor.start();
  if (signal?.aborted === true) drain();

  return {
    sessionId,
    finished: ended
      .then(
        (context) => context,
        async (error: unknown) => {
          parts.logger.error({ error }, 'session failed');
          const { context } = actor.getSnapshot();
          const broken = { ...context, ...endWith(context, 'failed', { message: BROKEN }) };
          await steps.close(broken);
          return broken;
        },
      )
      .then((context) => toSummary(context, elapsedMs()))
      .finally(() => signal?.removeEventListener('abort', drain)),
    cancel(reason) {
      stop(reason);
      for (const id of parts.inFlight) void cancelCommand(id, reason, parts);
    },
    say(message) {
      const { text, by, interrupts } = message;
      requireRoom(parts.current(), options.providerId);
      if (!sendUnlessOver({ type: 'message.said', text })) return false;
      const told = { text: options.redact(text), by, interrupts };
      void parts.journal.tell({ type: 'message_said', ...parts.ofSession, ...told });
      if (interrupts) {
        parts.interruption.interrupt();
        const reason = `${by} said something else: read the message after these results`;
        for (const id of parts.inFlight) void cancelCommand(id, reason, parts);
      }
      return true;
    },
    compress: (by) =>
      sendUnlessOver({ type: 'compression.requested', method: 'manual', reason: `requested by ${by}` }),
    step: () => parts.writer.last(),
    settled: () => parts.writer.settled(),
  };

  function sendUnlessOver(event: SessionEvent): boolean {
    const snapshot = actor.getSnapshot();
    const over = snapshot.status !== 'active' || snapshot.context.ending !== null || stopping.signal.aborted;
    if (!over) {
      actor.send(event);
      parts.writer.amend(parts.current());
    }
    return !over;
  }
}

function createParts(
  options: SessionOptions,
  of: Pick<SessionParts, 'stop' | 'current'> & { readonly elapsedMs: () => number },
): SessionParts {
  const logger = options.logger.child({ sessionId: options.sessionId, provider: options.providerId });
  const published = createSessionJournal(options.events, logger);
  const journal: SessionJournal = {
    tell: async (...events) => (options.isLeft?.() === true ? undefined : published.tell(...events)),
  };
  return {
    options,
    logger,
    ...of,
    journal,
    writer: createSessionWriter({
      save: options.save,
      tell: journal.tell,
      ...of,
      first: options.resumed?.step,
    }),
    ofSession: { sessionId: options.sessionId, provider: options.providerId },
    interruption: createInterruption(),
    isResuming: options.resumed !== undefined,
    inFlight: new Set(),
  };
}

function createSteps(parts: SessionParts): SessionSteps {
  const { options, journal, logger, ofSession, writer, stop } = parts;
  return {
    // The answer of a turn was stored with the calls that follow from it.
    save: (at, context) => (at === 'calling' ? undefined : writer.begin(at, context)),
    async resume(context) {
      const from = options.resumed?.step.at ?? 'preparing';
      const changes = await earlierChanges(parts);
      const { cancelReason } = parts.current();
      if (cancelReason !== null) await cancelOpenCalls(context, cancelReason, parts);
      await journal.tell({ type: 'session_resumed', ...ofSession, from, changed: changes.length });
      return changes.length === 0 ? null : resumedNote(changes);
    },
    prepare: () =>
      journal.tell({
        type: 'session_started',
        ...ofSession,
        model: options.model,
        task: options.redact(options.task),
        contextTokens: options.compression.contextTokens,
        ...(options.runId === undefined ? {} : { runId: options.runId }),
      }),
    takeTurn: (context) => takeTurn(context, parts),
    backOff: ({ lastTurn }) => {
      const delayMs = lastTurn?.kind === 'failed' ? (lastTurn.retryInMs ?? 0) : 0;
      return waitFor(delayMs, options.clock, AbortSignal.any([stop, parts.interruption.current()]));
    },
    runCalls: (context) => runCalls(context, parts),
    async extend({ maxTurns, criticalFailure }) {
      if (options.failurePolicy?.on_critical_failure === 'stop' && criticalFailure !== null) return 0;
      const failure = criticalFailure === null ? {} : { failure: criticalFailure };
      return (await options.moreTurns?.({ turns: maxTurns, ...failure, signal: stop })) ?? 0;
    },
    async rest(_, signal) {
      if (options.rest === undefined || stop.aborted) return null;
      await journal.tell({ type: 'session_resting', ...ofSession });
      return options.rest(AbortSignal.any([stop, signal]));
    },
    isBudgetSpent: () => options.budget.isSpent(),
    isCompressionDue: (context) => compressionDue(context, options.compression) !== null,
    compress: (context) =>
      compressContext(context, compressionDue(context, options.compression) ?? REFUSED, parts),
    async close(context) {
      if (options.isLeft?.() === true) return;
      const { ending, endedTurns: turns, usage, costUsd } = context;
      const finish = ending?.finish ?? 'failed';
      const message = options.redact(ending?.message ?? '');
      logger.info({ finish, message, turns }, 'session ended');
      await writer.tell('done', {
        context,
        events: [{ type: 'session_ended', ...ofSession, finish, message, turns, usage, costUsd }],
      });
    },
  };
}

/** A backend that is away must not end the session: its next results carry the changes too. */
async function earlierChanges({ options, logger }: SessionParts): Promise<readonly string[]> {
  try {
    return (await options.resumed?.changes()) ?? [];
  } catch (error) {
    logger.warn({ error }, 'changes since a session was left not known');
    return [];
  }
}

/** They may be waiting, or running under another coordinator. */
async function cancelOpenCalls(
  { openCalls, turn }: SessionContext,
  reason: string,
  parts: SessionParts,
): Promise<void> {
  const { sessionId } = parts.ofSession;
  for (const [position, call] of openCalls.entries())
    for (const isRepaired of [false, true]) {
      const id = commandIdOfCall({ sessionId, turn, position, call, isRepaired });
      await cancelCommand(id, reason, parts);
    }
}

async function cancelCommand(
  id: CommandId,
  reason: string,
  { options, logger }: SessionParts,
): Promise<void> {
  try {
    await options.cancelCommand(id, reason);
  } catch (error) {
    logger.error({ error, commandId: id }, 'command not cancelled');
  }
}

function waitFor(delayMs: number, clock: SessionOptions['clock'], stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) return resolve();
    const end = (): void => {
      cancelTimer();
      stop.removeEventListener('abort', end);
      resolve();
    };
    const cancelTimer = clock.timer(delayMs, end);
    stop.addEventListener('abort', end, { once: true });
  });
}

function toSummary(context: SessionContext, durationMs: number): SessionSummary {
  const { ending, endedTurns: turns, calls, usage, costUsd } = context;
  return {
    finish: ending?.finish ?? 'failed',
    message: ending?.message ?? BROKEN,
    turns,
    calls,
    commandIds: calls.flatMap(({ commandId }) => (commandId === null ? [] : [commandId])),
    usage,
    costUsd,
    durationMs,
  };
}
