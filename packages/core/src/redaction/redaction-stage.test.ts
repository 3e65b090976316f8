import { describe, expect, test } from 'vitest';
import { createRedactionStage } from './redaction-stage.ts';
import { createRedactor } from './redactor.ts';
import { SECURITY_PATTERNS } from './security-patterns.ts';

const open = () => createRedactionStage(SECURITY_PATTERNS);

function inChunks(text: string, size: number): string {
  const stage = open();
  let shown = '';
  for (let at = 0; at < text.length; at += size) shown += stage.push(text.slice(at, at + size));
  return shown + stage.end();
}

// Made up; in two parts, so that no scanner takes this file for a leak.
const MODEL_KEY = ['sk-ant', 'api03-A1b2C3d4E5f6G7h8'].join('-');
const AWS_KEY = ['AKIA', 'IOSFODNN7EXAMPLE'].join('');
const [BEGIN, END] = ['-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----'];
const KEY_BLOCK = [BEGIN, ...Array.from({ length: 40 }, () => 'aB3/'.repeat(16)), END].join('\n');

describe('the chunks of a text make no difference:', () => {
  test.for([
    ['a name that is longer than a key', `a\n${AWS_KEY}X\n`, `a\n${AWS_KEY}X\n`],
    ['a key that two patterns know', `${MODEL_KEY} b`, '[redacted:anthropic-key] b'],
    ['a key at the end', `a\n${AWS_KEY}`, 'a\n[redacted:aws-access-key]'],
    ['a key block of many lines', `a\n${KEY_BLOCK}\nb\n`, 'a\n[redacted:private-key]\nb\n'],
    [
      'key blocks in a row',
      `${KEY_BLOCK}\n${BEGIN}\nabc\n${END}\n${KEY_BLOCK} b`,
      '[redacted:private-key]\n[redacted:private-key]\n[redacted:private-key] b',
    ],
    ['a key block without end', `${BEGIN}\nabc\n{"a": 1}\nb`, '[redacted:private-key]{"a": 1}\nb'],
    [
      'several secrets on a line',
      `TOKEN=abcdef12 ${AWS_KEY} https://a:b@c API_KEY=abcdef12,${AWS_KEY}`,
      'TOKEN=[redacted:assignment] [redacted:aws-access-key] https://a:[redacted:url-password]@c API_KEY=[redacted:assignment],[redacted:aws-access-key]',
    ],
    [
      'a secret in a long line',
      `${'a '.repeat(2000)}TOKEN=${'abcdef12'.repeat(500)} ${'b '.repeat(2000)}`,
      `${'a '.repeat(2000)}TOKEN=[redacted:assignment] ${'b '.repeat(2000)}`,
    ],
  ])('%s', ([, text = '', shown]) => {
    for (const size of [1, 7, 22, 100, 1023, 1024, 1500, 100_000]) expect(inChunks(text, size)).toBe(shown);
  });
});

describe('a stream shows', () => {
  test.for(['\n', '\r', '\r\n'])('every line that has ended by %j', (end) => {
    const stage = open();
    const lines = `a short line${end}`.repeat(1000);
    expect(stage.push(`${lines}a line that is still growing`)).toBe(lines);
    expect(stage.push('!')).toBe('');
    expect(stage.push(end)).toBe(`a line that is still growing!${end}`);
  });

  test('all but the last 1,024 characters of a long line, once there are 2,048', () => {
    const stage = open();
    expect(stage.push('x'.repeat(2048))).toBe('');
    expect(stage.push('x')).toBe('x'.repeat(1025));
    expect(stage.push('x'.repeat(1024))).toBe('');
    expect(stage.end()).toBe('x'.repeat(2048));
  });

  test.for(['😀', '\u{10000}', '\u{10FFFF}'])('no half of %s', (character) => {
    for (const after of ['', 'x']) {
      for (const stream of [open(), createRedactor({ secrets: [] }).stream()]) {
        const text = `${character.repeat(4000)}${after}`;
        const shown = stream.push(text);
        expect(shown.isWellFormed()).toBe(true);
        expect(shown + stream.end()).toBe(text);
      }
    }
  });
});
