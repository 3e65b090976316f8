import { createId, type RandomBytes } from '@signalbox/core';
import { DEFAULT_ROUNDS, NO_CHECKS } from '../run-checks.ts';
import type { RunRequest } from './run-options.ts';
import type { RunRecord } from './run-record.ts';

/** The record of a run that begins. */
export function newRunRecord(
  request: RunRequest,
  parts: {
    readonly random: RandomBytes;
    /** The workspace's own tests. */
    readonly tests: string | null;
    readonly redact: (text: string) => string;
    /** In US dollars, for a run without its own budget. */
    readonly budgetUsd: () => number | null;
  },
): RunRecord {
  const { random, tests, redact } = parts;
  const { assignments, attended = true, rounds = DEFAULT_ROUNDS, turns, priority, clientEnv, by } = request;
  const own = tests === null ? null : { line: tests };
  return {
    by,
    sessions: assignments.map(({ provider, task }) => ({
      sessionId: createId('session', random),
      provider,
      task: redact(task),
    })),
    until: request.until === undefined ? own : request.until,
    untilSession: createId('session', random),
    rounds,
    turns,
    priority,
    clientEnv,
    attended,
    limitUsd: request.budgetUsd ?? parts.budgetUsd(),
    spentUsd: 0,
    stoppedBy: null,
    checks: NO_CHECKS,
  };
}
