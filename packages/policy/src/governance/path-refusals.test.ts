import type { Effect } from '@signalbox/core';
import { expect, test } from 'vitest';
import { BUILT_IN_RULES } from './built-in-rules.ts';
import { onTree } from './testing/path-probes.ts';
import { BASH, policyOf, questionOf, read, write } from './testing/question-builders.ts';

const RULES = { deny_read: ['**/*.key'], allow_read: ['src', 'docs/**'] };
const BY_SETTINGS = 'Do without it, or ask the user to change the settings';
const BY_NOTHING = 'Do without it; no rule or approval can allow it';
const OUTSIDE = 'Use a path inside the workspace; no rule or approval can allow this one';

test.for<[settings: object, effect: Effect, message: string, suggestion: string]>([
  [{}, read('/etc/passwd'), 'Cannot read "/etc/passwd": it is outside the workspace', OUTSIDE],
  [{}, write('../x'), 'Cannot write "../x": it is outside the workspace', OUTSIDE],
  [{}, onTree('delete', '~'), 'Cannot delete "~": it is outside the workspace', OUTSIDE],
  [{}, read('.env'), 'Cannot read ".env": it is protected', BY_NOTHING],
  [{}, write('./.git/config'), 'Cannot write "./.git/config": ".git/config" is protected', BY_NOTHING],
  [{}, onTree('delete', '.'), 'Cannot delete ".": ".git" is protected', BY_NOTHING],
  [
    { tools: { file: { deny_read: ['**/*.key'] } } },
    read('a/b.key'),
    'Cannot read "a/b.key": the settings deny "**/*.key"',
    BY_SETTINGS,
  ],
  [
    { tools: { write_file: { forbidden_paths: ['dist/x'] } } },
    onTree('write', 'dist'),
    'Cannot write "dist": the settings deny "dist/x"',
    BY_SETTINGS,
  ],
  [
    { tools: { file: RULES } },
    read('lib/a'),
    'Cannot read "lib/a": the settings allow only src, docs/**',
    'Use a path below src, docs/**',
  ],
  [
    { tools: { write_file: { allowed_paths: ['src'] } } },
    write('lib/a'),
    'Cannot write "lib/a": the settings allow only src',
    'Use a path below src',
  ],
  [
    { tools: { write_file: { allowed_paths: [] } } },
    write('lib/a'),
    'Cannot write "lib/a": the settings allow no path',
    'Work without files, or ask the user to change the settings',
  ],
])(
  'a denial says what, why and what to do instead: %j and %j: %s',
  ([settings, effect, message, suggestion]) => {
    const ruling = policyOf(settings).checkPaths(questionOf({ effects: [effect] }));
    expect(ruling).toMatchObject({
      kind: 'deny',
      failure: { code: 'path_not_allowed', message, suggestion },
    });
  },
);

test('a wide reach that needs approval is named, and writes of unknown paths have the rule’s own reason', () => {
  const asks = (effect: Effect) =>
    policyOf({ tools: { bash: { forbidden_paths: ['*/x'] } } }).checkPaths(
      questionOf({ tool: BASH, effects: [effect] }),
    );
  expect(asks(onTree('write', 'docs'))).toMatchObject({
    kind: 'ask',
    rule: 'unclear-paths-ask',
    reason: '"docs" may reach denied paths',
  });
  expect(asks({ kind: 'write-unknown' })).toMatchObject({
    kind: 'ask',
    reason: BUILT_IN_RULES['unclear-paths-ask'].says,
  });
});

test('of several that need approval, the first is named; one that is denied counts more', () => {
  const policy = policyOf({ tools: { bash: { forbidden_paths: ['*/x'] } } });
  const effects = [onTree('write', 'docs'), onTree('write', 'src')];
  const rulingOf = (...more: readonly Effect[]) =>
    policy.checkPaths(questionOf({ tool: BASH, effects: [...effects, ...more] }));
  expect(rulingOf()).toMatchObject({ kind: 'ask', reason: '"docs" may reach denied paths' });
  expect(rulingOf(write('docs/x'))).toMatchObject({ kind: 'deny', rule: 'path-forbidden' });
});
