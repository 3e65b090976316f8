import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileRegex } from './linear-regex.ts';
import { needleOf } from './needle-of.ts';
import { parseRegex } from './regex-syntax.ts';

describe('compileRegex', () => {
  test.for<[pattern: string, text: string, finds: boolean]>([
    ['ab', 'xaby', true],
    ['^ab$', 'xab', false],
    ['a|b', 'b', true],
    ['(?:ab)+c', 'ababc', true],
    [String.raw`\bnpm\b`, 'npmx', false],
    [String.raw`\bnpm\b`, 'run npm!', true],
    ['a{2,3}b', 'ab', false],
    ['a{2,3}b', 'aaab', true],
    ['^a{2}$', 'aaa', false],
    ['a{2,}b', 'aaaaab', true],
    ['[a-c]x', 'bx', true],
    ['[^a-c]x', 'bx', false],
    ['[]a]', ']', true],
    [String.raw`[\d-]`, '-', true],
    [String.raw`\.sh\s`, 'a.sh b', true],
    ['(?i)DROP', 'drop table', true],
    ['(?i)[a-c]', 'B', true],
    ['a.c', 'a\nc', false],
    ['x*?y', 'xxy', true],
    ['', 'anything', true],
  ])('%j in %j: %s', ([pattern, text, finds]) => {
    expect(compileRegex(pattern)(text)).toBe(finds);
  });

  test.for<[pattern: string, why: string]>([
    [String.raw`(a)\1`, 'holds "\\1", which has no meaning here'],
    ['(?=a)', 'looks around or names a group, which is not regular: "(?"'],
    ['(?<n>a)', 'looks around or names a group, which is not regular: "(?"'],
    ['a**', 'repeats a repetition'],
    ['*a', 'has a "*" that repeats nothing'],
    ['(a', 'opens a bracket that it does not close'],
    ['a)', 'closes a bracket that it does not open'],
    ['[a', 'opens a square bracket that it does not close'],
    ['[b-a]', 'holds a range that ends before it begins'],
    ['a\\', 'ends in a backslash'],
    ['a{999}', 'repeats more than 100 times'],
    ['a{3,2}', 'repeats fewer times at most than at least'],
    ['((a{100}){100}){100}', 'is too large'],
  ])('refuses %j: it %s', ([pattern, why]) => {
    expect(() => compileRegex(pattern)).toThrow(why);
  });

  test.for<[pattern: string, needle: string]>([
    [String.raw`drop\s+table`, 'table'],
    [String.raw`\bgit\b.*--force\.now`, '--force.now'],
    ['(ab)+c|d', ''],
    ['(abc){2}x?', 'abc'],
    ['x*', ''],
  ])('looks for %j only in texts with %j', ([pattern, needle]) => {
    expect(needleOf(parseRegex(pattern))).toBe(needle);
  });

  test('agrees with the engine of JavaScript', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', String.raw`\w`, String.raw`\b`, '^', '$');
    const piece = fc
      .tuple(atom, fc.constantFrom('', '*', '+', '?', '{1,2}'))
      .map(([one, times]) => (/^(?:\\b|\^|\$)$/.test(one) ? one : one + times));
    const all = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
    const pattern = fc.tuple(all, all, all).map(([a, b, c]) => `${a}(${b}|${c})`);
    fc.assert(
      fc.property(pattern, fc.stringMatching(/^[abAB ]{0,8}$/), (source, text) => {
        expect(compileRegex(source)(text)).toBe(new RegExp(source).test(text));
        expect(compileRegex(`(?i)${source}`)(text)).toBe(new RegExp(source, 'i').test(text));
      }),
      { numRuns: 500 },
    );
  });

  test('takes no longer than the product of both lengths, whatever the pattern', () => {
    const finds = compileRegex('(a*)*b|(a|aa)+c|(.*a){20}d');
    const before = process.cpuUsage();
    expect(finds('a'.repeat(4_000))).toBe(false);
    // Of our own: what else a busy machine does is no matter.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
  });
});

test.for<[pattern: string, text: string, finds: boolean]>([
  [String.raw`a\Bb`, 'ab', true],
  [String.raw`a\B`, 'a', false],
  [String.raw`a\tb`, 'a\tb', true],
  [String.raw`[\n]`, 'a\nb', true],
])('%j in %j: %s', ([pattern, text, finds]) => {
  expect(compileRegex(pattern)(text)).toBe(finds);
});
