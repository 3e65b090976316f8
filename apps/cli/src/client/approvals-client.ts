import { type ApiClient, type CommandView, recordOf } from '@signalbox/api';
import {
  type Approver,
  type CallPreview,
  type CommandRecord,
  type Failure,
  JsonObject,
  UnavailableError,
  UsageError,
} from '@signalbox/core';
import type { AnswerOutcome, ApprovalAnswer, ApprovalService } from '@signalbox/coordinator';
import * as z from 'zod';
import { questionHash } from '../runtime/rules/question-hash.ts';
import type { DraftOfRule, StoredDraft } from '../runtime/rules/rule-draft.ts';
import type { RuleService } from '../runtime/rules/rule-service.ts';
import type { LocalAccess } from '../runtime/server/local-access.ts';
import { clientAt } from './client-at.ts';

export type RuleResult = Readonly<{
  stored: StoredDraft | null;
  /** Why no rule was stored although one was requested and the call was approved. */
  notStored: string | null;
}>;

/** Reads pending approvals and sends answers. */
export type ApprovalsClient = Readonly<{
  pending(): Promise<readonly CommandRecord[]>;
  answer(record: CommandRecord, answer: ApprovalAnswer): Promise<AnswerOutcome>;
  judge: ApprovalService['judge'];
  /** What the call would do; null if unknown. Never rejects. */
  preview(record: CommandRecord): Promise<CallPreview | null>;
  /** The user who answers here. */
  me: Approver;
  rules: Pick<RuleService, 'propose' | 'check'>;
  /** Both in one step, the answer first. */
  approveAndStore(
    record: CommandRecord,
    draft: DraftOfRule,
  ): Promise<Readonly<{ outcome: AnswerOutcome } & RuleResult>>;
}>;

/** The current command, and whether its session was stopped if that was requested. */
type Answered = CommandView & Readonly<{ sessionStopped?: boolean | undefined }>;

const Rule = JsonObject.and(z.object({ id: z.string() }));

/**
 * Approvals of a server.
 *
 * @param me the server's name for the user, from the access token
 */
export function approvalsClient(
  access: () => LocalAccess,
  me: () => string,
  { channel = 'cli' }: Readonly<{ channel?: 'cli' | 'terminal' | undefined }> = {},
): ApprovalsClient {
  const client = (): ApiClient => clientAt(access(), { channel });

  /** Why the server rejects an answer, in the coordinator's words. */
  async function refusedAs(record: CommandRecord, error: unknown): Promise<AnswerOutcome> {
    if (!(error instanceof UsageError) || NOT_OF_THE_CALL.has(error.code)) throw error;
    // Codes of the failure, which the server passes on.
    const code: string = error.code;
    switch (code) {
      case 'same-person':
        return { kind: 'same-person', record };
      case 'files-changed':
        return { kind: 'files-changed', paths: error.why, record };
      case 'changed-call':
        return { kind: 'changed', callHash: questionHash(record) };
      case 'already-decided': {
        const { approval } = await client().getCommand({ id: record.id });
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
      const { approvals } = await client().listApprovals();
      return approvals.map(({ command }) => recordOf(command));
    },
    preview: ({ id }) =>
      client()
        .previewApproval({ id })
        .catch(() => null),
    async answer(record, answer) {
      try {
        return outcomeOf(await answered(client(), record, answer), answer);
      } catch (error) {
        return await refusedAs(record, error);
      }
    },
    async judge(id, args) {
      try {
        return await client().judgeApproval({ id, args });
      } catch (error) {
        return failureOf(error);
      }
    },
    rules: {
      async propose({ id }) {
        const proposed = await client().proposeRule({ id });
        return proposed.kind === 'never' ? proposed : { kind: 'rule', rule: Rule.parse(proposed.rule) };
      },
      async check({ id }, text) {
        const checked = await client().checkRuleForCall({ id, text });
        return checked.kind === 'unfit' ? checked : { kind: 'fits', rule: Rule.parse(checked.rule) };
      },
    },
    async approveAndStore(record, { rule, scope }) {
      const callHash = questionHash(record);
      try {
        const made = await client().rememberApproval({ id: record.id, callHash, rule, scope });
        const { command, stored, notStored } = made;
        return { outcome: outcomeOf(command, { kind: 'approve' }), stored, notStored };
      } catch (error) {
        return { outcome: await refusedAs(record, error), stored: null, notStored: null };
      }
    },
  };
}

/** Errors about the user's rights, independent of the call. */
const NOT_OF_THE_CALL: ReadonlySet<string> = new Set(['no-token', 'not-allowed', 'too-many-failures']);

function answered(client: ApiClient, record: CommandRecord, answer: ApprovalAnswer): Promise<Answered> {
  const seen = { id: record.id, callHash: questionHash(record) };
  switch (answer.kind) {
    case 'approve':
      return client.grantApproval(seen);
    case 'deny':
      return client.refuseApproval({ ...seen, reason: answer.reason, stopSession: answer.stopsSession });
    case 'answer':
      return client.answerQuestion({ ...seen, text: answer.text });
    case 'extend':
      return client.extendApproval({ ...seen, ms: answer.ms });
    case 'modify':
      return client.modifyApproval({ ...seen, args: answer.args, shown: answer.shown });
  }
}

function outcomeOf({ sessionStopped, ...view }: Answered, answer: ApprovalAnswer): AnswerOutcome {
  const record = recordOf(view);
  if (answer.kind === 'deny' && record.approval?.status !== 'expired')
    return { kind: 'refused', record, ...(sessionStopped === undefined ? {} : { sessionStopped }) };
  if (answer.kind === 'extend') return { kind: 'extended', record };
  if (answer.kind === 'answer') return { kind: 'answered', record };
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
