import { setIn } from '@signalbox/core';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { changedYaml } from './changed-yaml.ts';

const TEXT = `# mine
tests:   npm test   # why

approval:
    expiry: 5m    # enough
    # last words

budget: 2
rules:
  - id: a
    deny: { program: rm }
`;

test('a value is replaced in place, and nothing else changes', () => {
  expect(changedYaml('x', TEXT, { path: ['approval', 'expiry'], value: '15m' })).toBe(
    TEXT.replace('5m', '15m'),
  );
  expect(changedYaml('x', TEXT, { path: ['tests'], value: 'make "a: b"' })).toBe(
    TEXT.replace('npm test', `'make "a: b"'`),
  );
});

test('a new key is added after the last of its section, a new section at the end', () => {
  expect(changedYaml('x', TEXT, { path: ['approval', 'deny_dangerous'], value: true })).toContain(
    '    expiry: 5m    # enough\n    deny_dangerous: true\n',
  );
  const after = changedYaml('x', TEXT, { path: ['providers', 'openai', 'model'], value: 'gpt' });
  expect(after).toBe(`${TEXT}providers:\n  openai:\n    model: gpt\n`);
});

test('a list is written on one line, also in place of a multi-line one', () => {
  const lists = 'sandbox:\n  allowed_paths:\n    - src\n    - test # too\n  # of nobody\ntests: x\n';
  expect(changedYaml('x', lists, { path: ['sandbox', 'allowed_paths'], value: ['lib'] })).toMatch(
    /^sandbox:\n  allowed_paths: \[lib\]\n[^]*tests: x\n$/,
  );
});

test('a section on one line stays on one line, with its other keys unchanged', () => {
  const providers = 'providers:\n  openai: {}\n  # local\n  ollama: { model: a } # mine\n';
  const named = changedYaml('x', providers, { path: ['providers', 'openai', 'model'], value: 'gpt' });
  expect(named).toBe(providers.replace('{}', '{ model: gpt }'));
  const other = changedYaml('x', providers, {
    path: ['providers', 'ollama', 'timeouts', 'idle'],
    value: '2m',
  });
  expect(other).toContain('  # local\n  ollama: { model: a, timeouts: { idle: 2m } } # mine\n');
  expect(changedYaml('x', providers, { path: ['providers', 'ollama', 'model'], value: undefined })).toContain(
    'ollama: {} # mine',
  );
});

test('a key is removed with its line', () => {
  expect(changedYaml('x', TEXT, { path: ['budget'], value: undefined })).toBe(
    TEXT.replace('budget: 2\n', ''),
  );
  expect(changedYaml('x', TEXT, { path: ['approval', 'expiry'], value: undefined })).toContain(
    'approval: {}\n',
  );
});

test('in an empty file or section the key is the first', () => {
  expect(changedYaml('x', '', { path: ['budget'], value: 2 })).toBe('budget: 2\n');
  expect(changedYaml('x', '# words\n', { path: ['budget'], value: 2 })).toBe('# words\nbudget: 2\n');
  expect(
    changedYaml('x', 'approval: # when\ntests: x\n', { path: ['approval', 'expiry'], value: '1m' }),
  ).toBe('approval: # when\n  expiry: 1m\ntests: x\n');
});

test.for([
  ['a: [', /it is not YAML/],
  ['approval: 3\n', /has no keys/],
  ['- a\n', /has no keys/],
] as const)('a file that can’t be changed is left alone: %j', ([before, why]) => {
  expect(() => changedYaml('x.yaml', before, { path: ['approval', 'expiry'], value: '1m' })).toThrow(why);
});

const key = fc.stringMatching(/^[a-z_]{1,8}$/);
const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string(), { maxLength: 3 }));
const section = fc.dictionary(key, fc.oneof(value, fc.dictionary(key, value)));
const path = fc.array(key, { minLength: 1, maxLength: 3 });

test('any file keeps its content, and applying a change twice changes nothing more', () => {
  fc.assert(
    fc.property(section, path, value, fc.constantFrom(2, 4), (before, at, next, indent) => {
      const text = stringify(before, { indent });
      let after: string;
      try {
        after = changedYaml('x', text, { path: at, value: next });
      } catch {
        return;
      }
      expect(parse(after)).toEqual(setIn(before, at, { next }));
      expect(changedYaml('x', after, { path: at, value: next })).toBe(after);
    }),
    { numRuns: 50 },
  );
});
