import { JsonObject } from '@signalbox/core';
import * as z from 'zod';
import { defineOperation } from '../operation.ts';

export const WrittenRule = JsonObject.describe('As an entry of `rules:` in signalbox.yaml');

/** Whom a rule applies to. */
export const RuleScope = z
  .enum(['session', 'local', 'workspace', 'user'])
  .describe('This session; this workspace, yours alone or shared; all your workspaces');
export type RuleScope = z.infer<typeof RuleScope>;

const YamlText = z.string().describe('Exactly the YAML that a file would contain');

export const RuleProposal = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rule'), rule: WrittenRule, text: YamlText }),
  z.object({ kind: z.literal('never'), why: z.string() }),
]);
export type RuleProposal = z.infer<typeof RuleProposal>;

/** The check of a rule that a person typed. */
export const RuleDraft = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('fits'), rule: WrittenRule, text: YamlText }),
    z.object({ kind: z.literal('unfit'), why: z.string() }),
  ])
  .meta({ id: 'RuleDraft' });
export type RuleDraft = z.infer<typeof RuleDraft>;

/** Where a rule is stored, and whether it is in effect. */
export const StoredRule = z.object({ id: z.string(), where: z.string(), counts: z.boolean() });
export type StoredRule = z.infer<typeof StoredRule>;

/** What a rule matches. */
const RuleMatch = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('program'),
    program: z.string(),
    args: z.array(z.string()).readonly().nullable(),
  }),
  z.object({ kind: z.literal('line'), line: z.string() }),
  z.object({ kind: z.literal('pattern'), pattern: z.string() }),
  z.object({ kind: z.literal('files'), tool: z.string().nullable(), path: z.string().nullable() }),
  z.object({
    kind: z.literal('effect'),
    effect: z.string(),
    host: z.string().nullable(),
    path: z.string().nullable(),
  }),
]);

/** A user rule, and where it is stored. */
export const RuleView = z
  .looseObject({
    id: z.string(),
    ruling: z.enum(['allow', 'ask', 'deny']),
    match: RuleMatch,
    because: z.string().nullable(),
    source: z.string(),
    endsAt: z.number().nullable().describe('Epoch milliseconds; null: never'),
    layer: RuleScope,
    list: z.enum(['rules', 'authorization']).describe('The list that it is in'),
    isTrusted: z
      .boolean()
      .describe('False for a shared allow rule that is not trusted here: it has no effect'),
  })
  .meta({ id: 'Rule' });
export type RuleView = z.infer<typeof RuleView>;

const RuleText = z.strictObject({
  text: z.string().min(1).max(20_000).describe('One rule as YAML, or JSON'),
});
const RuleFile = z
  .enum(['local', 'workspace', 'user'])
  .describe('Yours for this workspace; shared with all who work here; yours for all workspaces');
export type RuleFile = z.infer<typeof RuleFile>;

export const listRules = defineOperation('GET', '/api/policy/rules', {
  schema: {
    response: { 200: z.object({ rules: z.array(RuleView).readonly() }) },
  },
});

export const checkRule = defineOperation('POST', '/api/policy/rules/check', {
  schema: {
    body: RuleText,
    response: { 200: RuleDraft },
  },
});

export const addRule = defineOperation('POST', '/api/policy/rules', {
  schema: {
    body: RuleText.extend({ file: RuleFile }),
    response: { 200: StoredRule },
  },
});

export const removeRule = defineOperation('DELETE', '/api/policy/rules/:layer/:id', {
  schema: {
    params: z.object({ layer: z.enum(['session', ...RuleFile.options]), id: z.string().max(64) }),
    response: { 200: z.object({ removed: z.string() }) },
  },
});
