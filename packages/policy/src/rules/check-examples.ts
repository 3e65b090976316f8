import { defaultSettings, type SettingsProblem, RULE_LISTS, type UserRule } from '@signalbox/core';
import { createPolicy } from '../governance/create-policy.ts';
import { compileRules } from './compile-rules.ts';
import { exampleQuestion } from './example-question.ts';

/** The expected and the actual result of an example. */
export type CheckedExample = {
  readonly rule: UserRule;
  readonly expects: keyof UserRule['examples'];
  readonly at: number;
  readonly text: string;
  readonly got: string;
  readonly passes: boolean;
};

/** Placeholders for examples: neither folder exists. */
const PATH_CONTEXT = { workspace: '/workspace', home: '/home/you' };

const KINDS = ['match', 'not_match', 'allow', 'ask', 'deny'] as const;

/**
 * Checks every example of a rule: with this rule as the only one besides the built-in rules, no other settings, and its
 * own circumstances.
 */
export function checkExamples(rule: UserRule): readonly CheckedExample[] {
  if (KINDS.every((expects) => rule.examples[expects].length === 0)) return [];
  const alone = { ...rule, endsAt: null, isTrusted: true };
  const policy = createPolicy({ ...defaultSettings(), rules: [alone] }, PATH_CONTEXT);
  return KINDS.flatMap((expects) =>
    rule.examples[expects].map((text, at) => {
      const question = exampleQuestion(text, rule, PATH_CONTEXT);
      const hits = policy.rules.hits(question).some(({ hit }) => hit !== 'no');
      const ruling = policy.rule(question);
      const isMatch = expects === 'match' || expects === 'not_match';
      const got = isMatch ? (hits ? 'match' : 'not_match') : `${ruling.kind} by ${ruling.rule}`;
      const passes = isMatch ? got === expects : ruling.kind === expects;
      return { rule, expects, at, text, got, passes };
    }),
  );
}

/** Why rules can't be used: invalid patterns, failing examples. Paths are those of each rule's file. */
export function checkRules(rules: readonly UserRule[]): readonly (SettingsProblem & { source: string })[] {
  return compileRules(rules, PATH_CONTEXT, () => true).flatMap(({ rule, problem }) => {
    const source = rule.file;
    const path = [...RULE_LISTS[rule.list], rule.at, rule.ruling, 'pattern'];
    if (problem !== null) return [{ path, message: `is not a valid pattern: ${problem}`, source }];
    return checkExamples(rule)
      .filter(({ passes }) => !passes)
      .map(({ expects, at, text, got }) => ({
        path: [...RULE_LISTS[rule.list], rule.at, 'examples', expects, at],
        message: messageOf(expects, { text, got }),
        source,
      }));
  });
}

function messageOf(
  expects: CheckedExample['expects'],
  { text, got }: Readonly<{ text: string; got: string }>,
): string {
  const shown = text.length > 60 ? `${text.slice(0, 59)}…` : text;
  if (expects === 'match') return `says that the rule matches ${JSON.stringify(shown)}, but it does not`;
  if (expects === 'not_match')
    return `says that the rule does not match ${JSON.stringify(shown)}, but it does`;
  return `says ${expects} for ${JSON.stringify(shown)}, but the policy says ${got}`;
}
