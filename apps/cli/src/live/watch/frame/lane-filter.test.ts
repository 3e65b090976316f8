import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { completeFilter } from './complete-filter.ts';
import { parseFilter, passes } from './lane-filter.ts';

const LANE = {
  provider: 'openai',
  states: ['runs', 'running'],
  title: 'bash npm test',
  level: 'warning',
} as const;

function holds(text: string, of: Parameters<typeof passes>[1] = LANE): boolean {
  const parsed = parseFilter(text);
  if (parsed.kind === 'mistake') throw new Error(parsed.why);
  return passes(parsed.filter, of);
}

test('level: matches that level, >= and <= all from there on, and no lane without one', () => {
  expect(
    ['level:warning', 'level:>=warning', 'level:<=dangerous', '-level:safe'].map((text) => holds(text)),
  ).toEqual([true, true, true, true]);
  expect(
    ['level:safe', 'level:>=dangerous', 'level:<=safe', '-level:warning'].map((text) => holds(text)),
  ).toEqual([false, false, false, false]);
  expect(holds('level:safe', { ...LANE, level: null })).toBe(false);
  expect(parseFilter('level:severe')).toMatchObject({
    kind: 'mistake',
    why: expect.stringContaining('dangerous'),
  });
});

const WORDS = { providers: ['openai', 'openrouter', 'anthropic'], tools: ['bash', 'read_file'] };

test('Tab completes keys and words on the screen, as far as they are unique', () => {
  expect(completeFilter('pro', WORDS)).toEqual({ text: 'provider:', options: [] });
  expect(completeFilter('-provider:a', WORDS)).toEqual({ text: '-provider:anthropic ', options: [] });
  expect(completeFilter('state:running provider:o', WORDS)).toEqual({
    text: 'state:running provider:open',
    options: ['provider:openai', 'provider:openrouter'],
  });
  expect(completeFilter('level:>=d', WORDS)).toEqual({ text: 'level:>=dangerous ', options: [] });
  expect(completeFilter('colour:r', WORDS)).toEqual({ text: 'colour:r', options: [] });
});

test('a completion begins with the typed text', () => {
  const term = fc.constantFrom('provider:', '-', 'state:', 'level:>=', 'tool:', 'o', 'a', ' ', 'x', ':');
  fc.assert(
    fc.property(fc.array(term, { maxLength: 6 }), (terms) => {
      const text = terms.join('');
      expect(completeFilter(text, WORDS).text.startsWith(text)).toBe(true);
    }),
  );
});
