import { describe, expect, test } from 'vitest';
import { SECRETS } from '../testing/secret-shapes.ts';
import { createRedactor } from './redactor.ts';
import { SECURITY_PATTERNS } from './security-patterns.ts';

const redact = (text: string) => createRedactor({ secrets: [] }).redact(text);

test('the patterns are 17 in 6 categories (S001-46, M3)', () => {
  expect(SECURITY_PATTERNS).toHaveLength(17);
  expect(new Set(SECURITY_PATTERNS.map(({ category }) => category)).size).toBe(6);
  expect(Object.keys(SECRETS).toSorted()).toEqual(SECURITY_PATTERNS.map(({ name }) => name).toSorted());
});

describe('redact() takes out', () => {
  for (const [name, examples] of Object.entries(SECRETS)) {
    test.for(examples)(`a secret of the shape "${name}": %#`, (example) => {
      const shown = redact(`before ${example} after`);
      expect(shown).toContain(`[redacted:${name}]`);
      expect(shown).toMatch(/^before .* after$|^before .*\[redacted:private-key\]/s);
      expect(shown.length).toBeLessThan(example.length + 40);
    });
  }

  test.for([
    ['export DB_PASSWORD=hunter2x', 'export DB_PASSWORD=[redacted:assignment]'],
    ['postgres://app:hunter2@db/shop', 'postgres://app:[redacted:url-password]@db/shop'],
    ['{"password": "hunter2x9", "user": "ana"}', '{"password": "[redacted:field]", "user": "ana"}'],
    ['Authorization: Bearer abc.def-ghi', 'Authorization: Bearer [redacted:authorization]'],
    [`k=${SECRETS['openai-key']?.[0]}.`, 'k=[redacted:openai-key].'],
    [`${SECRETS['private-key']?.[0]}\nnext line`, '[redacted:private-key]\nnext line'],
  ])('the secret alone: %j', ([text, shown]) => {
    expect(redact(text ?? '')).toBe(shown);
  });
});

test.for([
  'const password = getPassword();',
  'function check(token: string, secret?: Secret): boolean {',
  'token: "identifier"',
  'export MAX_TOKENS=4096',
  'TOKEN_FILE=/run/secrets/token',
  'API_KEY=$OPENAI_API_KEY',
  'API_KEY=process.env.OPENAI_API_KEY',
  'TOKENIZER=gpt2-medium',
  'tokenizer: "gpt2-medium"',
  'secretName: "prod-db-2"',
  'task-1234567890abcdefghijkl',
  'class="sk-folding-cube-animation-large"',
  'the bearer of this letter, basic authentication, a token',
  'https://${user}:${password}@host',
  'http://127.0.0.1:8080/a@b',
  'const url = `redis://localhost:6379`',
  'commit 3f2c9d0a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e',
  'docker login --password-stdin',
])('redact() leaves code and prose unchanged: %s', (text) => {
  expect(redact(text)).toBe(text);
});

test('redactJson() reads every text and key, and the values of keys that name a secret', () => {
  const { redactJson } = createRedactor({ secrets: ['very-secret-value'] });
  expect(
    redactJson({
      password: 'hunter2x9',
      nested: [
        { apiKey: 'abcd1234efgh', token: 'identifier', note: 'has very-secret-value in it' },
        1,
        null,
        true,
      ],
      'very-secret-value': 'x',
    }),
  ).toEqual({
    password: '[redacted:field]',
    nested: [
      { apiKey: '[redacted:field]', token: 'identifier', note: 'has [redacted:secret] in it' },
      1,
      null,
      true,
    ],
    '[redacted:secret]': 'x',
  });
});

test.for([
  ['a number of tokens', 1_234_567_890],
  ['a sentence', 'see chapter 12 of the manual'],
  ['a sentence that ends with a number', 'it is in chapter-12b'],
  ['a sentence that begins with a number', 'chapter-12b has it'],
  ['a word', 'identifier'],
  ['a placeholder', '${DB_PASSWORD_1}'],
  ['a placeholder', '<password-1>'],
  ['a short text', 'abc-123'],
  ['an object', { max: 12_345_678 }],
])('redactJson() keeps %s under a key that names a secret: %j', ([, value = null]) => {
  const { redactJson } = createRedactor({ secrets: [] });
  expect(redactJson({ tokens: value, secret: value })).toEqual({ tokens: value, secret: value });
});

test.for([
  'password',
  'DB_PASSWD',
  'secrets',
  'apiKey',
  'api-key',
  'private_key',
  'accessKeys',
  'credential',
])('redactJson() hides what may be a secret under the key %s', (key) => {
  const { redactJson } = createRedactor({ secrets: [] });
  expect(redactJson({ [key]: 'hunter-2' })).toEqual({ [key]: '[redacted:field]' });
  expect(redactJson({ [`${key}Name`]: 'hunter-2' })).toEqual({ [`${key}Name`]: 'hunter-2' });
});

test('a long text is redacted once, although it goes into a record, the audit log and a log line', () => {
  const redactor = createRedactor({ secrets: [] });
  const text = 'TOKEN=abcdef12 '.repeat(70_000);
  const [first = 0, ...others] = Array.from({ length: 4 }, () => {
    const before = process.cpuUsage();
    expect(redactor.redact(text)).toHaveLength(28 * 70_000);
    return process.cpuUsage(before).user;
  });
  // Our own processor time, so that other load on the machine does not matter.
  expect(Math.min(...others)).toBeLessThan(first / 5);
});

describe('stream()', () => {
  test('shows a line as soon as it has ended, and holds back the line that is still growing', () => {
    const stream = createRedactor({ secrets: [] }).stream();
    expect(stream.push('line one\nPASSWORD=hun')).toBe('line one\n');
    expect(stream.push('ter2x\n')).toBe('PASSWORD=[redacted:assignment]\n');
    expect(stream.end()).toBe('');
  });

  test('holds back a bounded tail of a line without end', () => {
    const stream = createRedactor({ secrets: [] }).stream();
    let shown = 0;
    for (let i = 0; i < 1000; i++) shown += stream.push('x'.repeat(100)).length;
    expect(100_000 - shown).toBeLessThanOrEqual(5 * 1024 + 200);
  });
});
