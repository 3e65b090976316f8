import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createSeededRandom } from '@signalbox/core/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileRegex, RegexSyntaxError } from './linear-regex.ts';

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
    ['a.c', 'a\rc', true],
    ['x*?y', 'xxy', true],
    ['', 'anything', true],
  ])('%j in %j: %s', ([pattern, text, finds]) => {
    expect(compileRegex(pattern).finds(text)).toBe(finds);
  });

  test.for<[pattern: string, why: string]>([
    [String.raw`(a)\1`, 'invalid escape sequence: `\\1`'],
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['*a', 'missing argument to repetition operator: `*`'],
    ['(a', 'missing closing ): `(a`'],
    ['a)', 'unexpected ): `a)`'],
    ['[a', 'missing closing ]: `[a`'],
    ['[b-a]', 'invalid character class range: `b-a`'],
    ['a\\', 'trailing backslash at end of expression'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['a{3,2}', 'invalid repeat count: `{3,2}`'],
    ['((a{100}){100}){100}', 'invalid repeat count: `{100}`'],
    ['(ab|cd){999}', 'too large'],
  ])('refuses %j: %s', ([pattern, why]) => {
    expect(() => compileRegex(pattern)).toThrow(new RegexSyntaxError(why));
  });

  test('a blank is what it is in JavaScript, in a class too', () => {
    for (let unit = 0; unit < 0xd8_00; unit++) {
      const text = String.fromCharCode(unit);
      const isBlank = /\s/.test(text);
      const found = patterns.map(({ finds }) => finds(`a${text}b`));
      expect([unit, ...found]).toEqual([unit, isBlank, !isBlank, isBlank, !isBlank]);
    }
  });

  const patterns = [String.raw`a\sb`, String.raw`a\Sb`, String.raw`a[\n\s]b`, String.raw`a[^\s]b`].map(
    compileRegex,
  );

  test('agrees with the engine of JavaScript', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', String.raw`\w`, String.raw`\b`, '^', '$');
    const piece = fc
      .tuple(atom, fc.constantFrom('', '*', '+', '?', '{1,2}'))
      .map(([one, times]) => (/^(?:\\b|\^|\$)$/.test(one) ? one : one + times));
    const all = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
    const pattern = fc.tuple(all, all, all).map(([a, b, c]) => `${a}(${b}|${c})`);
    fc.assert(
      fc.property(pattern, fc.stringMatching(/^[abAB ]{0,8}$/), (source, text) => {
        expect(compileRegex(source).finds(text)).toBe(new RegExp(source).test(text));
        expect(compileRegex(`(?i)${source}`).finds(text)).toBe(new RegExp(source, 'i').test(text));
      }),
      { numRuns: 500 },
    );
  });

  test('takes no longer than the product of both lengths, whatever the pattern', () => {
    const { finds } = compileRegex('(a*)*b$|(a|aa)+c$|(.*a){20}d$');
    const before = process.cpuUsage();
    // Whoever looks for the last letter first finds one.
    expect(finds(`bcd${'a'.repeat(4_000)}`)).toBe(false);
    // Of our own: what else a busy machine does is no matter.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
  });
});

test.for<[pattern: string, text: string, finds: boolean]>([
  [String.raw`a\Bb`, 'ab', true],
  [String.raw`a\B`, 'a', false],
  [String.raw`a\tb`, 'a\tb', true],
  [String.raw`[\n]`, 'a\nb', true],
  [String.raw`[]\s]\s`, ']\u{A0}', true],
  [String.raw`[^]\s]`, ']\u{A0}', false],
  [String.raw`\[\s]`, '[\v]', true],
  // A class of POSIX within a class does not end it.
  [String.raw`^[[:alpha:]\s]b$`, '\u{A0}b', true],
  [String.raw`^[[:^alpha:]\s]+$`, '1\u{A0}', true],
])('%j in %j: %s', ([pattern, text, finds]) => {
  expect(compileRegex(pattern).finds(text)).toBe(finds);
});

test('quoted text, whose brackets could hide a blank from a rule, is refused', () => {
  expect(() => compileRegex(String.raw`\Q[\E\s`)).toThrow(/quotes text/);
  expect(compileRegex(String.raw`a\\Qb`).finds(String.raw`a\Qb`)).toBe(true);
});

test('a pattern keeps little of the texts it was tried on, whatever they are', () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  const heapMb = (): number => {
    if (typeof collect === 'function') collect();
    return process.memoryUsage().heapUsed / 1e6;
  };
  const letters = createSeededRandom(1)(16_000);
  const text = [...letters].map((byte) => (byte % 2 === 0 ? 'a' : 'b')).join('');
  const patterns = Array.from({ length: 20 }, (_, at) =>
    compileRegex(`(?:a|b)*a(?:a|b){12}[c-${'defgh'[at % 5]}]`),
  );
  const before = heapMb();
  for (const { finds } of patterns) expect(finds(text)).toBe(false);
  expect(heapMb() - before).toBeLessThan(20);
});
