import {
  InvariantError,
  type Json,
  type ProviderId,
  type SessionId,
  UnavailableError,
} from '@signalbox/core';
import type { LedRun, WaitingSession } from './led-run.ts';
import type { RunWriter } from './run-writer.ts';
import { newContext, requireRoom } from '../session-context.ts';
import type { SessionJournal } from '../session-journal.ts';
import type { Finish } from '../recorded-call.ts';
import type { SessionHandle, SessionSummary } from '../session-options.ts';
import type { SessionStep } from '../session-step.ts';

/** A session of a run that another process has left. */
export type LeftSession = {
  readonly sessionId: SessionId;
  readonly provider: ProviderId;
  readonly task: string;
  /** Undefined: it had not begun. */
  readonly step: SessionStep | undefined;
  /** What is stored of it can't be read. */
  readonly isDamaged?: boolean;
};

type Parts = {
  readonly writer: RunWriter;
  readonly toStored: (step: SessionStep) => Json;
  readonly journal: SessionJournal;
  readonly redact: (text: string) => string;
  /** @throws {UnavailableError} `missing-api-key`; any other error ends the session */
  readonly begin: (
    run: LedRun,
    session: LeftSession,
    keys: Readonly<Record<string, string>>,
  ) => SessionHandle;
};

/**
 * Continues one session of a left run. A session without its key waits for a client that brings it: keys are in no
 * store. One that can never continue ends as failed.
 *
 * @returns its summary, which it settles when it is over
 */
export async function continueSession(
  run: LedRun,
  session: LeftSession,
  parts: Parts,
): Promise<{ readonly summary: Promise<SessionSummary> }> {
  const { writer, toStored, journal, redact } = parts;
  const { sessionId, provider } = session;
  const over = Promise.withResolvers<SessionSummary>();
  let step = session.step ?? newStep(session.task);
  if (step.at === 'done') return { summary: Promise.resolve(summaryOf(step)) };

  function begin(keys: Readonly<Record<string, string>>): void {
    const handle = parts.begin(run, session.step === undefined ? session : { ...session, step }, keys);
    run.waiting.delete(sessionId);
    run.sessions.set(sessionId, handle);
    void handle.finished.then(over.resolve);
  }

  async function end(finish: Finish, message: string): Promise<void> {
    run.waiting.delete(sessionId);
    step = { ...step, at: 'done', context: { ...step.context, ending: { finish, message } } };
    const { endedTurns: turns, usage, costUsd } = step.context;
    const told = { sessionId, provider, finish, message: redact(message), turns, usage, costUsd };
    await writer.save(run, {
      parts: { [sessionId]: toStored(step) },
      events: [{ type: 'session_ended', ...told }],
    });
    over.resolve(summaryOf(step));
  }

  const waiting: WaitingSession = {
    provider,
    needs: '',
    begin,
    end: (reason) => end('cancelled', reason),
    leave: () => over.resolve(summaryOf(step)),
    async say({ text, by, interrupts }) {
      requireRoom(step.context, provider);
      step = { ...step, context: { ...step.context, inbox: [...step.context.inbox, text] } };
      session = { ...session, step };
      const said = { type: 'message_said', sessionId, provider, text: redact(text), by, interrupts } as const;
      await writer.save(run, { parts: { [sessionId]: toStored(step) }, events: [said] });
    },
  };

  const { cancelReason } = step.context;
  try {
    if (session.isDamaged === true) throw new InvariantError('What is stored of it cannot be read');
    begin({});
  } catch (error) {
    if (!(error instanceof UnavailableError)) {
      await end('failed', error instanceof Error ? error.message : 'it cannot be continued');
    } else if (cancelReason !== null) {
      await end('cancelled', cancelReason);
    } else {
      waiting.needs = [error.message, ...error.why].map(redact).join(': ');
      run.waiting.set(sessionId, waiting);
      await journal.tell({ type: 'session_waiting', sessionId, provider, needs: waiting.needs });
    }
  }
  return { summary: over.promise };
}

function newStep(task: string): SessionStep {
  return { at: 'preparing', context: newContext('', task, { maxTurns: 1 }), elapsedMs: 0 };
}

function summaryOf({ context, elapsedMs: durationMs }: SessionStep): SessionSummary {
  const { ending, endedTurns: turns, calls, usage, costUsd } = context;
  return {
    finish: ending?.finish ?? 'cancelled',
    message: ending?.message ?? '',
    turns,
    calls,
    commandIds: calls.flatMap(({ commandId }) => (commandId === null ? [] : [commandId])),
    usage,
    costUsd,
    durationMs,
  };
}
