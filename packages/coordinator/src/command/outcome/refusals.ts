import {
  type Approval,
  type CommandId,
  type CounterTake,
  type ErrorCategory,
  type Outcome,
  shortId,
} from '@signalbox/core';

/** The longest wait that a model is told to make, in milliseconds. */
const LONGEST_WAIT_MS = 60_000;

const ASSUME = 'Do not ask again: decide by yourself, and say what you assumed';

/** The ways in which a command ends without having run, as shown to its provider. */
export const refusals = {
  noApprover: (): Outcome =>
    denied({
      code: 'approval-needed',
      category: 'ConfirmationRequired',
      message: 'Needs approval, but no one can be asked here',
    }),

  nobodyToAsk: (): Outcome =>
    denied({
      code: 'nobody-to-ask',
      category: 'ConfirmationRequired',
      message: 'Nobody is there to answer questions',
      suggestion: ASSUME,
      retryable: false,
    }),

  tooManyQuestions: (open: number): Outcome =>
    denied({
      code: 'too-many-questions',
      category: 'RateLimited',
      message: `Cannot ask: ${open} questions of this session are still open`,
      suggestion: 'Wait for their answers, or put your questions into one',
    }),

  declined: (by: { name: string }, reason: string | undefined): Outcome =>
    denied({
      code: 'question-declined',
      category: 'ConfirmationRequired',
      message: `A person (${by.name}) does not answer this question${reason === undefined || reason === '' ? '' : `: ${reason}`}`,
      suggestion: ASSUME,
      retryable: false,
    }),

  unanswered: ({ expiresAt, requestedAt }: Approval): Outcome =>
    denied({
      code: 'question-unanswered',
      category: 'ConfirmationRequired',
      message: `Nobody answered within ${inWords(expiresAt - requestedAt)}`,
      suggestion: ASSUME,
      retryable: false,
    }),

  queueFull: ({ waiting, limit }: { waiting: number; limit: number }): Outcome =>
    denied({
      code: 'queue-full',
      category: 'RateLimited',
      message: `Queue full: ${waiting} of ${limit} commands are waiting`,
      suggestion: 'Wait for outstanding results before you call again',
    }),

  waitedTooLong: (waitedMs: number): Outcome => ({
    kind: 'cancelled',
    failure: {
      code: 'waited-too-long',
      category: 'Cancelled',
      message: `Did not run: waited ${Math.round(waitedMs / 1000)} s in the queue, longer than the limit`,
      suggestion: 'Try again later, or do something else first',
      visibility: 'visible',
    },
  }),

  /** @param id Of the command, if a late answer still counts; otherwise null. */
  expired({ approvers, expiresAt, grants, requestedAt }: Approval, id: CommandId | null): Outcome {
    const who =
      grants.length === 0
        ? 'No answer'
        : `Only ${grants.length} of ${approvers} approvals (${grants.map(({ by }) => by.name).join(', ')})`;
    const within = `within ${inWords(expiresAt - requestedAt)}`;
    return id === null
      ? denied({
          code: 'approval-expired',
          category: 'ConfirmationRequired',
          message: `${who} ${within}, so it was denied`,
          suggestion: 'Continue without it, or try again later',
        })
      : denied({
          code: 'approval-expired',
          category: 'ConfirmationRequired',
          message: `${who} ${within}, so it did not run. The answer is still pending: signalbox approve ${shortId(id)}`,
          suggestion: 'Continue with other work. Repeat exactly this call later: it then uses the answer',
        });
  },

  repeated: (times: number): Outcome =>
    denied({
      code: 'repeated-call',
      category: 'PolicyBlocked',
      message: `Not run: the same call was made ${times} times and nothing has changed since`,
      suggestion: 'Use the result you have, change the call, or say what you are waiting for',
    }),

  refused: (by: { name: string }, reason: string | undefined): Outcome =>
    denied({
      code: 'approval-refused',
      category: 'PolicyBlocked',
      message: `A person (${by.name}) denied this call${reason === undefined || reason === '' ? '' : `: ${reason}`}`,
      suggestion:
        'Stop: do not try the same with another tool or line. Tell the user what you need and why, or continue with other work',
    }),

  /** Each limit by its own name (Q1–Q3, S000-41, S001-127). */
  overLimit({ key, limit }: CounterTake, retryAfterMs: number | null): Outcome {
    const [kind = '', name = ''] = key.split(':');
    const wait = retryAfterMs === null ? '' : `; the next is free in ${Math.ceil(retryAfterMs / 1000)} s`;
    // A model that waits for more than a minute only spends turns.
    const soon = retryAfterMs !== null && retryAfterMs > LONGEST_WAIT_MS ? { retryable: false } : {};
    if (kind === 'session') {
      return denied({
        code: 'quota_blocked',
        retryable: false,
        category: 'RateLimited',
        message: `The quota of this session is used up: ${counted(limit, 'call')}`,
        suggestion: 'Finish with what you have',
      });
    }
    if (kind === 'provider') {
      return denied({
        code: 'provider_rate_limited',
        category: 'RateLimited',
        message: `Rate limit exceeded: provider ${name} may make ${counted(limit, 'call')} an hour${wait}`,
        suggestion: 'Wait before you call again',
        ...soon,
      });
    }
    return denied({
      code: 'rate_limited',
      category: 'RateLimited',
      message: `Rate limit exceeded: ${name} may be called ${counted(limit, 'time')} an hour${wait}`,
      suggestion: 'Wait, or go on with other tools',
      ...soon,
    });
  },

  /** The tool is hidden until others have succeeded in the session (S001-86). */
  needsEarlier: (tool: string, missing: readonly string[]): Outcome => ({
    kind: 'failed',
    failure: {
      code: 'tool-not-ready',
      category: 'ToolNotFound',
      message: `Cannot call ${tool} yet: ${inOrder(missing)} must succeed first in this session (tools.dependencies.rules.${tool})`,
      suggestion: `Call ${inOrder(missing)} first, then ${tool} again`,
      visibility: 'visible',
    },
  }),

  auditUnavailable: (): Outcome => ({
    kind: 'failed',
    failure: {
      code: 'audit-unavailable',
      category: 'PermanentFailure',
      message: 'The audit log cannot be written: nothing is run, and no result is given, until it can',
      suggestion: 'Stop and tell the user',
      visibility: 'visible',
    },
  }),
} as const;

function denied(failure: {
  code: string;
  category: ErrorCategory;
  message: string;
  suggestion?: string;
  retryable?: boolean;
}): Outcome {
  return { kind: 'denied', failure: { ...failure, visibility: 'visible' } };
}

function inWords(ms: number): string {
  return ms % 60_000 === 0 ? `${ms / 60_000} min` : `${Math.round(ms / 1000)} s`;
}

function inOrder(names: readonly string[]): string {
  return names.map((name) => (name.endsWith('*') ? `a ${name} tool` : name)).join(' and ');
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
