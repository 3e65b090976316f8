import type { RunId, SessionId } from '@signalbox/core';
import { createBudget, type SessionBudget } from '../budget.ts';
import type { RunRecord } from './run-record.ts';
import { createSessionBarrier, type SessionBarrier } from './session-barrier.ts';
import type { SessionHandle, SessionMessage, SessionSummary } from '../session-options.ts';

/** A session that can't continue before a client brings what it needs. */
export type WaitingSession = {
  readonly provider: RunRecord['sessions'][number]['provider'];
  /** Why it waits. */
  needs: string;
  /** @throws {UnavailableError} `missing-api-key` if it must wait on. */
  begin(keys: Readonly<Record<string, string>>): void;
  say(message: SessionMessage): Promise<void>;
  end(reason: string): Promise<void>;
  /** Another process continues it. */
  leave(): void;
};

/** A run led by this process. */
export type LedRun = {
  readonly id: RunId;
  record: RunRecord;
  readonly sessions: Map<SessionId, SessionHandle>;
  readonly waiting: Map<SessionId, WaitingSession>;
  /** Of all its sessions, in their order. */
  readonly summaries: Promise<SessionSummary>[];
  readonly barrier: SessionBarrier;
  readonly budget: SessionBudget;
  /** Whether a model has answered. */
  hasWorked: boolean;
  /** Continued here after another process had left it. */
  readonly isResumed: boolean;
  readonly stopping: AbortController;
  /** It stays stored as it is: another process continues it. */
  isLeft: boolean;
  cancelGrace: () => void;
  readonly over: PromiseWithResolvers<void>;
};

export function createLedRun(id: RunId, record: RunRecord, of: Pick<LedRun, 'isResumed'>): LedRun {
  return {
    id,
    record,
    ...of,
    sessions: new Map(),
    waiting: new Map(),
    summaries: [],
    barrier: createSessionBarrier(record.sessions.map(({ sessionId }) => sessionId)),
    budget: createBudget(record.limitUsd, record.spentUsd),
    hasWorked: false,
    stopping: new AbortController(),
    isLeft: false,
    cancelGrace: () => undefined,
    over: Promise.withResolvers(),
  };
}

/** Whether nothing happens in it until a client brings what a session needs. */
export function isRunIdle({ waiting, sessions, barrier }: LedRun): boolean {
  return waiting.size > 0 && sessions.size === barrier.resting();
}

/** Ends it here and leaves it for another process. */
export function leaveRun(run: LedRun): void {
  run.isLeft = true;
  run.cancelGrace();
  run.stopping.abort('another process continues this run');
  for (const session of run.waiting.values()) session.leave();
  run.waiting.clear();
  run.over.resolve();
}
