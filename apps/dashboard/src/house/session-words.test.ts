import { expect, test } from 'vitest';
import { endingWord, lastSentence } from './session-words.ts';

test('a session ends in a word that people know, never in the setting’s name (U-B10)', () => {
  const words = ['finished', 'max_iterations', 'cancelled', 'failed', 'refused', 'budget', null];
  expect(words.map((finish) => endingWord({ finish }))).toEqual([
    'Finished',
    'Out of turns',
    'Stopped',
    'Failed',
    'Refused',
    'Out of budget',
    'Ended',
  ]);
});

test('what a lane quotes is the last sentence of the last line, without its markup', () => {
  expect(lastSentence('I read the parser.\n\nIt is fine. Now I run the tests.\n')).toBe(
    'Now I run the tests.',
  );
  expect(lastSentence('## Result\n- **two** files changed')).toBe('two** files changed');
  expect(lastSentence('Look:\n\n```sh\nnpm test\n```')).toBe('npm test');
  expect(lastSentence('')).toBe('');
  expect(lastSentence('x'.repeat(1_000_000))).toBe(`${'x'.repeat(159)}…`);
});
