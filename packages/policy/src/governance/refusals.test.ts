import { formatForLlm } from '@signalbox/core';
import { expect, test } from 'vitest';
import { lineQuestion } from '../rules/testing/rule-questions.ts';
import { BUILT_IN_RULES, type DenyRule } from './built-in-rules.ts';
import type { Policy } from './create-policy.ts';
import type { Question } from './question.ts';
import { BASH, policyOf, questionOf, read, READ_FILE, write } from './testing/question-builders.ts';

const MANY = 100 * 1024 * 1024;

/** For each rule that denies, a call that it denies. */
const REFUSED: Readonly<Record<DenyRule, readonly [settings: object, question: Question]>> = {
  'blocked-never': [{}, lineQuestion('sudo ls')],
  'tools-off': [{ agents: { tool_execution: { enabled: false } } }, lineQuestion('ls')],
  'mode-forbids': [
    { tools: { bash: { forbidden_in_modes: ['ALERT'] } } },
    lineQuestion('ls', { mode: 'ALERT' }),
  ],
  'lockdown-looks-only': [{}, questionOf({ mode: 'LOCKDOWN' })],
  'autonomous-internal': [{}, questionOf({ tool: READ_FILE, context: { phase: 'autonomous' } })],
  'composition-rejected': [{ shell_composition: 'reject' }, lineQuestion('ls | head')],
  'program-not-listed': [{ tools: { bash: { command_allowlist: ['jq'] } } }, lineQuestion('frob')],
  'path-outside': [{}, questionOf({ effects: [write('/etc/passwd')] })],
  'protected-path': [{}, questionOf({ effects: [read('.env')] })],
  'path-forbidden': [
    { tools: { write_file: { forbidden_paths: ['dist'] } } },
    questionOf({ effects: [write('dist/a')] }),
  ],
  'path-not-listed': [{ sandbox: { allowed_paths: [] } }, questionOf({ effects: [write('a')] })],
  'too-large': [{}, questionOf({ contentBytes: MANY })],
  'approval-deny-all': [{ approval: { approval_mode: 'deny_all' } }, lineQuestion('ls')],
  'dangerous-denied': [{ approval: { deny_dangerous: true } }, lineQuestion('rm -rf src')],
};

function refusalOf(policy: Policy, question: Question) {
  const ruling = policy.rule(question);
  if (ruling.kind !== 'deny') throw new Error(`it is ${ruling.kind} by ${ruling.rule}`);
  return ruling;
}

test.for(Object.entries(REFUSED))(
  'a denial by %s says what, why, by which rule, and what to do instead (S000-43, S000-56, S000-95)',
  ([rule, [settings, question]]) => {
    const { rule: by, source, reason, failure } = refusalOf(policyOf(settings), question);
    expect([by, source, reason]).toEqual([rule, 'built in', BUILT_IN_RULES[rule as DenyRule].says]);
    const [tag, category, message, suggestion, retryable, blank, said] = formatForLlm(failure, 'cmd').split(
      '\n',
    );
    expect([tag, category, retryable, blank]).toEqual([
      '[tool_error]',
      'category: PolicyBlocked',
      'retryable: false',
      '',
    ]);
    expect(message).toMatch(
      /^message: (?:Blocked: .+|Cannot (?:call|run|start|read|write|delete) .+: .+|Cannot .+ in [A-Z]+ mode|Tool not allowed in .+)$/,
    );
    expect(message).not.toMatch(/[.!]$/);
    expect(suggestion).toMatch(/^suggestion: [A-Z].{10,}$/);
    expect(said).toBe(`rule: ${rule} (built in): ${reason}`);
  },
);

test('every rule that denies is tested above', () => {
  const refusing = Object.entries(BUILT_IN_RULES).filter(([, { ruling }]) => ruling === 'deny');
  expect(Object.keys(REFUSED)).toEqual(refusing.map(([rule]) => rule));
});

test('a denial by a rule of your own names the rule, its position and its reason', () => {
  const rules = [{ id: 'no-publish', deny: { program: 'npm', args: ['publish'] }, because: 'CI publishes' }];
  const { failure } = refusalOf(policyOf({ rules }), lineQuestion('npm publish', { tool: BASH }));
  expect(formatForLlm(failure, 'cmd').split('\n')).toEqual([
    '[tool_error]',
    'category: PolicyBlocked',
    'message: Cannot call bash: rule "no-publish" (settings) denies it: CI publishes',
    'suggestion: Do not retry or rephrase it; use another approach',
    'retryable: false',
    '',
    'rule: no-publish (settings): CI publishes',
  ]);
});
