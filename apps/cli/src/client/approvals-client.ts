import { CommandView, listApprovals, recordOf, refuseApproval, StoredRule } from '@signalbox/api';
import {
  CallPreview,
  type CommandRecord,
  type Failure,
  InvariantError,
  JsonObject,
  UnavailableError,
  UsageError,
} from '@signalbox/core';
import type { AnswerOutcome, ApprovalAnswer } from '@signalbox/coordinator';
import * as z from 'zod';
import type { AskerDesk } from '../run/approval-asker.ts';
import { questionHash } from '../run/question-hash.ts';
import type { WrittenRule } from '../run/rule-desk.ts';
import { askServer } from '../serve/ask-server.ts';
import type { LocalAccess } from '../serve/local-access.ts';

/** The command as it is by now, and what became of its session where that was to end. */
const Answered = refuseApproval.schema.response[200].transform(({ sessionStopped, ...view }) => ({
  record: recordOf(view),
  sessionStopped,
}));
type Answered = Readonly<{ record: CommandRecord; sessionStopped?: boolean | undefined }>;

const Rule = z.custom<WrittenRule>((value) => {
  const rule = JsonObject.safeParse(value);
  return rule.success && typeof rule.data['id'] === 'string';
});
const Proposed = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rule'), rule: Rule }),
  z.object({ kind: z.literal('never'), why: z.string() }),
]);
const Checked = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('fits'), rule: Rule }),
  z.object({ kind: z.literal('unfit'), why: z.string() }),
]);
const Remembered = z.object({
  command: CommandView,
  stored: StoredRule,
});

/**
 * The questions of a server.
 *
 * @param me what the server calls who answers here, by the access token
 */
export function approvalsClient(
  access: () => LocalAccess,
  me: () => string,
  channel: 'cli' | 'terminal' = 'cli',
): AskerDesk {
  const pathOf = (record: CommandRecord, what: string): string => `/api/approvals/${record.id}/${what}`;
  const post = <Answer>(record: CommandRecord, what: string, body: unknown, answer: z.ZodType<Answer>) =>
    askServer(access(), { method: 'POST', path: pathOf(record, what), body, channel }, answer);

  /** What the server says against an answer, in the words of the desk. */
  async function refusedAs(record: CommandRecord, error: unknown): Promise<AnswerOutcome> {
    if (!(error instanceof UsageError) || NOT_OF_THE_CALL.has(error.code)) throw error;
    switch (error.code) {
      case 'same-person':
        return { kind: 'same-person', record };
      case 'files-changed':
        return { kind: 'files-changed', paths: error.why, record };
      case 'changed-call':
        return { kind: 'changed', callHash: questionHash(record) };
      case 'already-decided': {
        const path = `/api/commands/${record.id}`;
        const { approval } = await askServer(access(), { method: 'GET', path }, CommandView);
        return approval === null ? { kind: 'unknown' } : { kind: 'already-decided', approval };
      }
      default:
        return { kind: 'not-approvable', failure: failureOf(error) };
    }
  }

  return {
    get me() {
      return { name: me(), channel: 'cli' } as const;
    },
    async pending() {
      const request = { method: 'GET', path: '/api/approvals' } as const;
      const { approvals } = await askServer(access(), request, listApprovals.schema.response[200]);
      return approvals.map(({ command }) => recordOf(command));
    },
    preview: (record) =>
      askServer(access(), { method: 'GET', path: pathOf(record, 'preview') }, CallPreview).catch(() => null),
    async answer(record, answer) {
      const [what, body] = requestOf(answer);
      try {
        const told = await post(record, what, { callHash: questionHash(record), ...body }, Answered);
        return outcomeOf(told, answer);
      } catch (error) {
        return await refusedAs(record, error);
      }
    },
    async judge(id, args) {
      try {
        const path = `/api/approvals/${id}/judge`;
        return await askServer(access(), { method: 'POST', path, body: { args } }, CommandView);
      } catch (error) {
        return failureOf(error);
      }
    },
    rules: {
      propose: (record) => askServer(access(), { method: 'GET', path: pathOf(record, 'rule') }, Proposed),
      check: (record, text) => post(record, 'rule', { text }, Checked),
      store: () => Promise.reject(new InvariantError('The server stores a rule with its answer')),
    },
    async approveAndStore(record, { rule, scope }) {
      const body = { callHash: questionHash(record), rule, scope };
      try {
        const { command, stored } = await post(record, 'remember', body, Remembered);
        return { outcome: outcomeOf({ record: command }, { kind: 'approve' }), stored };
      } catch (error) {
        return { outcome: await refusedAs(record, error), stored: null };
      }
    },
  };
}

/** They say who may not answer, whatever the call. */
const NOT_OF_THE_CALL: ReadonlySet<string> = new Set(['no-token', 'not-allowed', 'too-many-failures']);

function requestOf(answer: ApprovalAnswer): readonly [string, object] {
  switch (answer.kind) {
    case 'approve':
      return ['grant', {}];
    case 'deny':
      return ['refuse', { reason: answer.reason, stopSession: answer.stopsSession }];
    case 'extend':
      return ['extend', { ms: answer.ms }];
    case 'modify':
      return ['modify', { args: answer.args, shown: answer.shown }];
  }
}

function outcomeOf({ record, sessionStopped }: Answered, answer: ApprovalAnswer): AnswerOutcome {
  if (answer.kind === 'deny' && record.approval?.status !== 'expired')
    return { kind: 'refused', record, ...(sessionStopped === undefined ? {} : { sessionStopped }) };
  if (answer.kind === 'extend') return { kind: 'extended', record };
  if (record.approval?.status === 'expired') return { kind: 'late', record };
  const isCounted = record.state === 'awaiting_approval' && record.approval?.status === 'pending';
  return { kind: isCounted ? 'counted' : 'granted', record };
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof UsageError || error instanceof UnavailableError)) throw error;
  const why = error.why.length === 0 ? '' : ` (${error.why.join('; ')})`;
  return {
    code: error.code,
    category: 'InvalidParameters',
    message: `${error.message}${why}`,
    visibility: 'visible',
  };
}
