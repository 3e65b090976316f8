import type { CommandId, Logger } from '@signalbox/core';
import { createActor, type InspectionEvent, toPromise } from 'xstate';
import { runCalls } from './run-calls.ts';
import { newContext, type SessionContext } from './session-context.ts';
import { createSessionJournal } from './session-journal.ts';
import type { SessionHandle, SessionOptions, SessionSummary } from './session-options.ts';
import type { SessionParts } from './session-parts.ts';
import { createSessionMachine, type SessionSteps } from './session.machine.ts';
import { defaultSystemPrompt } from './system-prompt.ts';
import { takeTurn } from './take-turn.ts';

const DEFAULT_MAX_ITERATIONS = 100;

/** Sets a provider to work on a task, turn by turn, until it is done or something ends it (B3). */
export function runSession(options: SessionOptions): SessionHandle {
  const { sessionId, clock, signal } = options;
  const stopping = new AbortController();
  const parts = createParts(options, stopping.signal);
  const startedAt = clock.monotonic();
  const machine = createSessionMachine(createSteps(parts));
  const actor = createActor(machine, {
    input: newContext(
      options.systemPrompt ?? defaultSystemPrompt,
      options.task,
      options.maxIterations ?? DEFAULT_MAX_ITERATIONS,
    ),
    inspect: logSteps(parts.logger),
  });
  const ended = toPromise(actor);

  const stop = (reason: string): void => {
    actor.send({ type: 'cancel.requested', reason });
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
        () => actor.getSnapshot().context,
      )
      .then((context) => toSummary(context, clock.monotonic() - startedAt))
      .finally(() => signal?.removeEventListener('abort', drain)),
    cancel(reason) {
      stop(reason);
      for (const id of parts.inFlight) void cancelCommand(id, reason, parts);
    },
    say(text) {
      const snapshot = actor.getSnapshot();
      const over =
        snapshot.status !== 'active' || snapshot.context.ending !== null || stopping.signal.aborted;
      if (!over) actor.send({ type: 'message.said', text });
      return !over;
    },
  };
}

/** As those of a command: which event led from where to where, and nothing of what was said. */
function logSteps(logger: Logger): (inspected: InspectionEvent) => void {
  let from: unknown = null;
  return (inspected) => {
    // Its steps are actors without states; what they come to is an event of the session.
    if (inspected.type !== '@xstate.snapshot' || !('value' in inspected.snapshot)) return;
    const { value: state } = inspected.snapshot;
    logger.debug({ event: inspected.event.type, from, state }, 'session step');
    from = state;
  };
}

function createParts(options: SessionOptions, stop: AbortSignal): SessionParts {
  const logger = options.logger.child({ sessionId: options.sessionId, provider: options.providerId });
  return {
    options,
    logger,
    stop,
    journal: createSessionJournal(options.events, logger),
    ofSession: { sessionId: options.sessionId, provider: options.providerId },
    inFlight: new Set(),
  };
}

function createSteps(parts: SessionParts): SessionSteps {
  const { options, journal, logger, ofSession, stop } = parts;
  return {
    prepare: () =>
      journal.tell({
        type: 'session_started',
        ...ofSession,
        model: options.model,
        task: options.redact(options.task),
        ...(options.runId === undefined ? {} : { runId: options.runId }),
      }),
    takeTurn: (context) => takeTurn(context, parts),
    backOff: ({ lastTurn }) => {
      const delayMs = lastTurn?.kind === 'failed' ? (lastTurn.retryInMs ?? 0) : 0;
      return waitFor(delayMs, options.clock, stop);
    },
    runCalls: (context) => runCalls(context, parts),
    extend: async ({ maxTurns }) => (await options.moreTurns?.({ turns: maxTurns, signal: stop })) ?? 0,
    isBudgetSpent: () => options.budget.isSpent(),
    async close({ ending, endedTurns: turns, usage, costUsd }) {
      const finish = ending?.finish ?? 'failed';
      const message = options.redact(ending?.message ?? '');
      logger.info({ finish, message, turns }, 'session ended');
      await journal.tell({ type: 'session_ended', ...ofSession, finish, message, turns, usage, costUsd });
    },
  };
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
    message: ending?.message ?? 'The session failed inside Signalbox',
    turns,
    calls,
    commandIds: calls.flatMap(({ commandId }) => (commandId === null ? [] : [commandId])),
    usage,
    costUsd,
    durationMs,
  };
}
