import { Failure, Mode, ProviderId, Ruling, Verdict } from '@signalbox/core';
import * as z from 'zod';
import { defineOperation } from '../operation.ts';
import { RuleScope } from './rule.ts';

/** One rule, and its own ruling on a line. */
const RuleStepView = z.object({
  rule: z.string(),
  source: z.string().describe('`built in`, or file and line'),
  layer: z.enum(['built in', ...RuleScope.options]),
  ruling: z.enum(['allow', 'ask', 'deny']),
  approvers: z.int().describe('Required number of approvers; 0 when it does not ask'),
  says: z.string(),
  hit: z.enum(['yes', 'maybe', 'no']),
  decides: z.boolean().describe('Whether the ruling is this rule’s'),
});
export type RuleStepView = z.infer<typeof RuleStepView>;

/** How the policy would rule on a line. */
export const ExplanationView = z
  .looseObject({
    title: z.string(),
    verdict: Verdict,
    ruling: Ruling,
    rules: z.array(RuleStepView).readonly().describe('Every rule: the built-in ones, then user rules'),
    changes: z.array(z.string()).readonly().describe('What a person could do to change the ruling'),
    failure: Failure.nullable()
      .optional()
      .describe('Why it would fail at once, without an approval request; null when no reason is known'),
  })
  .meta({ id: 'Explanation' });
export type ExplanationView = z.infer<typeof ExplanationView>;

export const explainLine = defineOperation('POST', '/api/policy/explain', {
  schema: {
    body: z.strictObject({
      line: z.string().min(1).max(65_536),
      cwd: z.string().max(4096).default('.'),
      provider: ProviderId.optional().describe('As if this provider called; default: you'),
      mode: Mode.optional().describe('As if this mode were set; default: the present mode'),
    }),
    response: { 200: ExplanationView },
  },
});

export const reloadPolicy = defineOperation('POST', '/api/policy/reload', {
  schema: {
    body: z.strictObject({}).nullish(),
    response: { 200: z.object({ changed: z.boolean() }) },
  },
});
