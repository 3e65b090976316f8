import { expect, test } from 'vitest';
import { lastSentence } from './last-sentence.ts';

test('a lane quotes the last sentence of the last line, without its markup', () => {
  expect(lastSentence('I read the parser.\n\nIt is fine. Now I run the tests.\n')).toBe(
    'Now I run the tests.',
  );
  expect(lastSentence('## Result\n- **two** files changed')).toBe('two** files changed');
  expect(lastSentence('Look:\n\n```sh\nnpm test\n```')).toBe('npm test');
  expect(lastSentence('')).toBe('');
  expect(lastSentence('x'.repeat(1_000_000))).toBe(`${'x'.repeat(159)}…`);
});
