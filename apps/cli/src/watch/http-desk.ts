import {
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
import type { RuleDesk, WrittenRule } from '../run/rule-desk.ts';
import { askServer } from '../serve/ask-server.ts';
import type { LocalAccess } from '../serve/local-access.ts';
import { SeenCommand } from './snapshot.ts';

const Pending = z.object({
  approvals: z.array(z.object({ command: SeenCommand, before: z.string().nullable() })),
});
const Rule = z.custom<WrittenRule>((value) => {
  const rule = JsonObject.safeParse(value);
  return rule.success && typeof rule.data['id'] === 'string';
});
const Proposed = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rule'), rule: Rule }),
  z.object({ kind: z.literal('never'), why: z.string() }),
]);
const Remembered = z.object({
  command: SeenCommand,
  stored: z.object({ id: z.string(), where: z.string(), counts: z.boolean() }),
});

/** The questions of the server of the workspace; what is answered counts in the name of `me`. */
export function httpDesk(
  access: () => LocalAccess,
  me: string,
  /** Looks at a typed rule before it is sent; the server does so once more. */
  check: RuleDesk['check'],
): AskerDesk {
  const before = new Map<string, string | null>();
  const pathOf = (record: CommandRecord, what: string): string => `/api/approvals/${record.id}/${what}`;
  const post = <Answer>(record: CommandRecord, what: string, body: unknown, answer: z.ZodType<Answer>) =>
    askServer(access(), { method: 'POST', path: pathOf(record, what), body }, answer);

  return {
    me: { name: me, channel: 'http' },
    async pending() {
      const request = { method: 'GET', path: '/api/approvals' } as const;
      const { approvals } = await askServer(access(), request, Pending);
      before.clear();
      for (const one of approvals) before.set(one.command.id, one.before);
      return approvals.map(({ command }) => command);
    },
    async before({ id, call }) {
      const writes = typeof call.args['path'] === 'string' && typeof call.args['content'] === 'string';
      return writes ? (before.get(id) ?? null) : undefined;
    },
    async answer(record, answer) {
      const [what, body] = requestOf(answer);
      try {
        const told = await post(record, what, { callHash: questionHash(record), ...body }, SeenCommand);
        return outcomeOf(told, answer);
      } catch (error) {
        return refusedAs(record, error);
      }
    },
    async judge(id, args) {
      try {
        const path = `/api/approvals/${id}/judge`;
        return await askServer(access(), { method: 'POST', path, body: { args } }, SeenCommand);
      } catch (error) {
        return failureOf(error);
      }
    },
    rules: {
      propose: (record) => askServer(access(), { method: 'GET', path: pathOf(record, 'rule') }, Proposed),
      check,
      store: () => Promise.reject(new InvariantError('The server stores a rule with its answer')),
    },
    async approveAndStore(record, { rule, scope }) {
      const body = { callHash: questionHash(record), rule, scope };
      try {
        const { command, stored } = await post(record, 'remember', body, Remembered);
        return { outcome: outcomeOf(command, { kind: 'approve' }), stored };
      } catch (error) {
        return { outcome: refusedAs(record, error), stored: null };
      }
    },
  };
}

function requestOf(answer: ApprovalAnswer): readonly [string, object] {
  switch (answer.kind) {
    case 'approve':
      return ['grant', {}];
    case 'deny':
      return ['refuse', answer.reason === undefined ? {} : { reason: answer.reason }];
    case 'modify':
      return ['modify', { args: answer.args, shown: answer.shown }];
  }
}

function outcomeOf(record: CommandRecord, answer: ApprovalAnswer): AnswerOutcome {
  if (answer.kind === 'deny') return { kind: 'refused', record };
  const isCounted = record.state === 'awaiting_approval' && record.approval?.status === 'pending';
  return { kind: isCounted ? 'counted' : 'granted', record };
}

/** What the server says against an answer, in the words of the desk. */
function refusedAs(record: CommandRecord, error: unknown): AnswerOutcome {
  if (!(error instanceof UsageError)) throw error;
  switch (error.code) {
    case 'same-person':
      return { kind: 'same-person', record };
    case 'files-changed':
      return { kind: 'files-changed', paths: error.why, record };
    case 'changed-call':
      return { kind: 'changed', callHash: questionHash(record) };
    default:
      return { kind: 'not-approvable', failure: failureOf(error) };
  }
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
