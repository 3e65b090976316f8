import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { around, cutMiddle } from './cut-middle.ts';
import { foldEqual, foldSimilar } from './fold.ts';
import { isVital, SECURITY_NOTES, TROUBLE } from './vital-line.ts';
import { shortRulers } from './without.ts';

describe('vital lines', () => {
  test('there are 17 patterns of security notes in 6 categories (S001-46)', () => {
    expect(Object.keys(SECURITY_NOTES)).toHaveLength(6);
    expect(Object.values(SECURITY_NOTES).flat()).toHaveLength(17);
  });

  test.for([TROUBLE, ...Object.values(SECURITY_NOTES).flat()])('what matches %s is vital', (pattern) => {
    // fast-check knows no word boundaries.
    const source = pattern.source.replaceAll(String.raw`\b`, '');
    fc.assert(
      fc.property(
        fc.stringMatching(new RegExp(String.raw`^(?:${source})$`)),
        fc.nat({ max: 9 }),
        (text, indent) => {
          expect(isVital(' '.repeat(indent) + text)).toBe(true);
        },
      ),
    );
  });

  test.for([
    'TypeError: x is not a function',
    'npm warn deprecated a@1',
    '  ✕ adds two numbers (3 ms)',
    '--- FAIL: TestPrice (0.00s)',
    'src/a.ts(3,5): hint',
    '   at price (lib/price.js:12)',
    'File "shop.py", line 3, in price',
    'E   assert 1 == 2',
    '- Expected',
    '  1) cart adds',
    'use of unsafe block',
    'GHSA-aaaa-bbbb-cccc in lodash',
    '3 moderate severity vulnerabilities',
    'server answered 403',
    'token=[redacted:openai-key]',
    'possible SQL injection',
    'weak cipher RC4',
  ])('%j is vital', (line) => {
    expect(isVital(line)).toBe(true);
  });

  test.for([
    '',
    'Compiling serde v1.0.1',
    'ok  \tshop/price\t0.01s',
    '✓ adds two numbers',
    'added 12 packages in 3s',
  ])('%j is not', (line) => {
    expect(isVital(line)).toBe(false);
  });
});

describe('folding', () => {
  test('equal lines in a row become one with their number, blank ones become one', () => {
    expect(foldEqual(['a', 'a', 'a', 'b', 'b', '', '', '', 'a'])).toEqual(['a  ×3', 'b', 'b', '', 'a']);
  });

  test('similar folding keeps the last of lines that differ in numbers, and each error', () => {
    expect(
      foldSimilar(['1 of 9', '2 of 9', '3 of 9', '9 of 9', 'error 1', 'error 2', 'error 3', 'error 4']),
    ).toEqual(['9 of 9  ×4', 'error 1', 'error 2', 'error 3', 'error 4']);
  });

  test('a line that stands for several is not folded again', () => {
    const once = foldEqual(['a', 'a', 'a', 'a  ×3', 'a  ×3', 'a  ×3']);
    expect(foldEqual(once)).toEqual(once);
  });
});

test('the cut keeps both ends, and between them what looks like an error with the lines around it', () => {
  const lines = Array.from({ length: 30 }, (_, at) =>
    at === 15 ? 'error: here' : `line ${String.fromCodePoint(97 + at)}`,
  );
  const cut = cutMiddle({ head: 2, tail: 2, context: 1 })(lines);
  expect(cut).toEqual([
    'line a',
    'line b',
    '[… 23 lines left out]',
    lines[14],
    'error: here',
    lines[16],
    lines[28],
    lines[29],
  ]);
  expect(cutMiddle({ head: 2, tail: 2, context: 1 })(cut)).toEqual(cut);
  expect(cutMiddle({ head: 20, tail: 20, context: 1 })(lines)).toEqual(lines);
});

test('contexts that overlap are kept once', () => {
  const lines = Array.from('abXdXfghij');
  expect(around(lines, { isKept: (line) => line === 'X', context: 2 })).toEqual([
    ...Array.from('abXdXfg'),
    '[… 3 lines left out]',
  ]);
});

test('rulers are shortened, other lines of marks are not', () => {
  expect(
    shortRulers([
      '========= FAILURES =========',
      '-----------',
      '---',
      '⎯⎯⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯',
      ' ======== ',
    ]),
  ).toEqual(['=== FAILURES ===', '---', '---', '⎯⎯⎯ Failed Tests 1 ⎯⎯⎯', ' ======== ']);
});
