import * as z from 'zod';
import { Phase, Trust } from '../../commands/call.ts';
import { ProviderId } from '../../id.ts';
import { Mode } from '../../mode.ts';
import { ToolPattern } from '../tools/canonical-tool-name.ts';
import { RuleMatcher } from './rule-matcher.ts';
import type { SettingsPath } from '../keys/settings-path.ts';

/** Scope of a rule: yours for all workspaces, shared in this workspace, yours for this workspace, or one session. */
export type RuleLayer = 'user' | 'workspace' | 'local' | 'session';

const DAY_MS = 86_400_000;

/** `2026-12-31` (to the end of that day, UTC) or `2026-12-31T12:00:00Z`; parsed to the end instant, epoch ms. */
const RuleEnd = z.string().transform((written, context) => {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(written);
  const at = isDay || /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?Z$/.test(written) ? Date.parse(written) : NaN;
  if (!Number.isNaN(at) && new Date(at).toISOString().startsWith(written.slice(0, 10)))
    return isDay ? at + DAY_MS : at;
  context.addIssue({
    code: 'custom',
    message: `must be a date such as 2026-12-31, or an instant such as 2026-12-31T12:00:00Z, not "${written.slice(0, 40)}"`,
    input: written,
  });
  return z.NEVER;
});

/** Lines that show what the rule does; for a rule on files `write_file docs/a.md`, a tool and a path. */
const Example = z.string().min(1).max(4096);
const RuleExamples = z.strictObject({
  /** Lines that the rule matches. */
  match: z.array(Example).default([]),
  /** Lines that it does not match. */
  not_match: z.array(Example).default([]),
  /** Lines that are allowed with this rule as the only one besides the built-in rules. `ask` and `deny` likewise. */
  allow: z.array(Example).default([]),
  ask: z.array(Example).default([]),
  deny: z.array(Example).default([]),
});

const Written = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, {
    error: 'must be a name of lower-case letters, digits and dashes, such as no-publish',
  }),
  allow: RuleMatcher.optional(),
  ask: RuleMatcher.optional(),
  deny: RuleMatcher.optional(),
  /** In plain words; people and providers read it. */
  because: z.string().min(1).max(500).optional(),
  expires: RuleEnd.optional(),
  /** For `ask`: how many different people must approve. */
  approvers: z.int().min(1).max(2).optional(),
  examples: RuleExamples.prefault({}),
  /** Modes in which the rule applies; absent: all. */
  modes: z.array(Mode).min(1).optional(),
  providers: z.array(ProviderId).min(1).optional(),
  tools: z.array(ToolPattern).min(1).optional(),
  phases: z.array(Phase).min(1).optional(),
  trust: z.array(Trust).min(1).optional(),
});

export type RuleRuling = 'allow' | 'ask' | 'deny';

/** One user rule, as the policy reads it. */
export type UserRule = {
  readonly id: string;
  readonly ruling: RuleRuling;
  readonly match: RuleMatcher;
  readonly because: string | null;
  /** Epoch ms; null: never ends. */
  readonly endsAt: number | null;
  /** For `ask`: how many different people must approve; 1 for all other rules. */
  readonly approvers: number;
  readonly examples: z.output<typeof RuleExamples>;
  readonly modes: readonly Mode[] | null;
  readonly providers: readonly ProviderId[] | null;
  readonly tools: readonly string[] | null;
  readonly phases: readonly Phase[] | null;
  readonly trust: readonly Trust[] | null;
  /** `rules:`, where the strictest wins, or `tools.authorization.rules`, where the first of a file does (D6). */
  readonly list: 'rules' | 'authorization';
  readonly layer: RuleLayer;
  /** Position: `signalbox.yaml:23`; its file, and its index among the rules of that, from 0. */
  readonly source: string;
  readonly file: string;
  readonly at: number;
  /** An `allow` of a shared file does nothing until a local user trusts it. */
  readonly isTrusted: boolean;
};

export const UserRule = Written.transform((rule, context): UserRule => {
  if (context.issues.length > 0) return z.NEVER;
  const { allow, ask, deny } = rule;
  const given = [allow, ask, deny].filter((matcher) => matcher !== undefined);
  const [match] = given;
  if (match === undefined || given.length > 1)
    return refuse([], 'must have exactly one of allow, ask and deny');
  const ruling = allow !== undefined ? 'allow' : ask !== undefined ? 'ask' : 'deny';
  if (rule.approvers !== undefined && ruling !== 'ask')
    return refuse(['approvers'], 'has a meaning only with ask: no other rule requires approval');
  if (ruling === 'allow') {
    if (match.kind === 'pattern')
      return refuse(
        ['allow'],
        'cannot allow by a pattern, since text does not identify a program; use program and args, or line',
      );
    if (match.kind === 'effect')
      return refuse(['allow'], 'cannot allow by an effect: name the program and its args, or the line');
    if (match.kind === 'files' && match.path === null)
      return refuse(['allow'], 'needs a path: to allow a whole tool, use auto_approve_tools');
  }
  return {
    id: rule.id,
    ruling,
    match,
    because: rule.because ?? null,
    endsAt: rule.expires ?? null,
    approvers: rule.approvers ?? 1,
    examples: rule.examples,
    modes: rule.modes ?? null,
    providers: rule.providers ?? null,
    tools: rule.tools ?? null,
    phases: rule.phases ?? null,
    trust: rule.trust ?? null,
    list: 'rules',
    layer: 'user',
    source: 'settings',
    file: 'settings',
    at: 0,
    isTrusted: true,
  };

  function refuse(path: readonly string[], message: string): never {
    context.addIssue({ code: 'custom', path: [...path], message, input: rule });
    return z.NEVER;
  }
});

/** The rules of one file; each id is unique in it. */
export const UserRules = z
  .array(UserRule)
  .max(2000)
  .transform((rules) => rules.map((rule, at): UserRule => ({ ...rule, at })))
  .superRefine((rules, context) => {
    const seen = new Set<string>();
    for (const [at, { id }] of rules.entries()) {
      if (seen.has(id))
        context.addIssue({ code: 'custom', path: [at, 'id'], message: `"${id}" names another rule already` });
      seen.add(id);
    }
  });

/** The rules below `tools.authorization`, which are appended to those below `rules` (S001-128). */
export const AuthorizationRules = UserRules.transform((rules) =>
  rules.map((rule): UserRule => ({ ...rule, list: 'authorization' })),
);

/** Path of a rule's list in its file. */
export const RULE_LISTS: Readonly<Record<UserRule['list'], SettingsPath>> = {
  rules: ['rules'],
  authorization: ['tools', 'authorization', 'rules'],
};
