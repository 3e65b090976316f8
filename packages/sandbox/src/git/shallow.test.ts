import { expect, test } from 'vitest';
import { whyNotShallow } from './shallow.ts';

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)];

test('the file shallow may lose commits but not gain any', () => {
  const before = `${A}\n${B}\n`;
  expect([before, `${B}\n`, ''].map((text) => whyNotShallow(text, before))).toEqual([null, null, null]);
  for (const [text, old] of [
    [`${A}\n`, null],
    [before, `${A}\n`],
    [`${A}x\n`, before],
    [null, before],
  ] as const)
    expect(whyNotShallow(text, old)).toContain('hides the history');
});
