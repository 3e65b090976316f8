import { CallHash, CallPreview, JsonObject, MAX_ANSWER_BYTES } from '@signalbox/core';
import * as z from 'zod';
import { CommandParams, CommandView } from './command.ts';
import { defineOperation } from '../operation.ts';
import { RuleDraft, RuleProposal, RuleScope, StoredRule, WrittenRule } from './rule.ts';

/** Fields that every answer carries. */
const seen = {
  callHash: CallHash.describe(
    '`approval.callHash` of what was shown: an answer to another call, or to other files, is not accepted',
  ),
};

export const WaitingApproval = z.object({ command: CommandView }).meta({ id: 'WaitingApproval' });
export type WaitingApproval = z.infer<typeof WaitingApproval>;

/** A week. */
const MAX_EXTENSION_MS = 7 * 86_400_000;
/** The time that “5 more minutes” adds to an approval, on every screen. */
export const FIVE_MINUTES_MS = 5 * 60_000;

export const listApprovals = defineOperation('GET', '/api/approvals', {
  schema: {
    response: { 200: z.object({ approvals: z.array(WaitingApproval).readonly() }) },
  },
});

export const previewApproval = defineOperation('GET', '/api/approvals/:id/preview', {
  schema: {
    params: CommandParams,
    response: { 200: CallPreview },
  },
});

export const grantApproval = defineOperation('POST', '/api/approvals/:id/grant', {
  schema: {
    params: CommandParams,
    body: z.strictObject(seen),
    response: { 200: CommandView },
  },
});

export const refuseApproval = defineOperation('POST', '/api/approvals/:id/refuse', {
  schema: {
    params: CommandParams,
    body: z.strictObject({
      ...seen,
      reason: z.string().min(1).max(2000).optional(),
      stopSession: z
        .boolean()
        .optional()
        .describe(
          'Stops its session: no new turns and calls, and running commands are stopped; requires the operator role',
        ),
    }),
    response: {
      200: z
        .object({
          ...CommandView.unwrap().shape,
          sessionStopped: z
            .boolean()
            .optional()
            .describe(
              'With `stopSession`: false when this server does not run that session: it has ended, or belongs to an agent',
            ),
        })
        .meta({ id: 'RefusedCommand' }),
    },
  },
});

export const answerQuestion = defineOperation('POST', '/api/approvals/:id/answer', {
  schema: {
    params: CommandParams,
    body: z.strictObject({
      ...seen,
      text: z
        .string()
        .min(1)
        .max(MAX_ANSWER_BYTES)
        .describe(
          'One of the choices of `approval.question`, or other text where it allows that; at most 4096 bytes',
        ),
    }),
    response: { 200: CommandView },
  },
});

export const extendApproval = defineOperation('POST', '/api/approvals/:id/extend', {
  schema: {
    params: CommandParams,
    body: z.strictObject({ ...seen, ms: z.int().min(1000).max(MAX_EXTENSION_MS).describe('Milliseconds') }),
    response: { 200: CommandView },
  },
});

export const modifyApproval = defineOperation('POST', '/api/approvals/:id/modify', {
  schema: {
    params: CommandParams,
    body: z.strictObject({
      ...seen,
      args: JsonObject,
      shown: CallHash.describe('`approval.callHash` in the answer of `judge` for these arguments'),
    }),
    response: { 200: CommandView },
  },
});

export const judgeApproval = defineOperation('POST', '/api/approvals/:id/judge', {
  schema: {
    params: CommandParams,
    body: z.strictObject({ args: JsonObject }),
    response: { 200: CommandView },
  },
});

export const proposeRule = defineOperation('GET', '/api/approvals/:id/rule', {
  schema: {
    params: CommandParams,
    response: { 200: RuleProposal },
  },
});

export const checkRuleForCall = defineOperation('POST', '/api/approvals/:id/rule', {
  schema: {
    params: CommandParams,
    body: z.strictObject({ text: z.string().min(1).max(20_000).describe('YAML, or JSON') }),
    response: { 200: RuleDraft },
  },
});

export const rememberApproval = defineOperation('POST', '/api/approvals/:id/remember', {
  schema: {
    params: CommandParams,
    body: z.strictObject({ ...seen, rule: WrittenRule, scope: RuleScope }),
    response: {
      200: z.object({
        command: CommandView,
        stored: StoredRule.nullable(),
        notStored: z
          .string()
          .nullable()
          .describe('Why no rule was stored; the approval is valid all the same'),
      }),
    },
  },
});
