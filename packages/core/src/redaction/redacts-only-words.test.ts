import { expect, test } from 'vitest';
import type { Json } from '../json.ts';
import { createRedactor } from './redactor.ts';
import { redactsOnlyWords } from './redacts-only-words.ts';

const { redactJson } = createRedactor({ secrets: ['my-own-secret-1'] });
const token = (end: string): string => `ghp_${'a1B2'.repeat(9)}${end}`;

test.each<[boolean, Json]>([
  [true, { line: 'ls', deep: [1, null, true, { a: 'b' }] }],
  [true, { line: `curl -H "Authorization: Bearer ${token('x')}" https://u:p4ssword@h/ --token abc1234 .` }],
  [true, { line: 'echo my-own-secret-1 my-own-secret-1' }],
  [true, { api_key: 'a1234567' }],
  [true, { line: '[redacted:field] is a mark' }],
  [false, { api_key: 'a123456;reboot' }],
  [false, { [token('a')]: 'reboot', [token('b')]: 'ls' }],
  [false, { line: `: '-----BEGIN PRIVATE KEY-----'; reboot` }],
  [false, { line: '-----BEGIN PRIVATE KEY-----\nreboot\n-----END PRIVATE KEY-----' }],
  [false, { [`${token('')}\u001B];reboot\u0007`]: 1 }],
])('redactsOnlyWords() is %s for what a redactor makes of %j', (only, json) => {
  expect(redactsOnlyWords(json, redactJson(json))).toBe(only);
});

test('redactsOnlyWords() takes time in proportion to the text', () => {
  const text = `${'a '.repeat(200_000)}${`${token('')} a`.repeat(5000)}`;
  const startedAt = performance.now();
  redactsOnlyWords(text, `${text.slice(0, 200_000)}${'[redacted:github-token] a'.repeat(20_000)}`);
  // Quadratic time would be minutes.
  expect(performance.now() - startedAt).toBeLessThan(5000);
});
