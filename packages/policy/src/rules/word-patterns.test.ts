import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { admitsWords, findsWords, type Hit, matchesWord } from './word-patterns.ts';

const words = (text: string): readonly (string | null)[] =>
  text === '' ? [] : text.split(' ').map((word) => (word === '?' ? null : word));

describe('holding back', () => {
  test.for<[patterns: string, line: string, hit: Hit]>([
    ['publish', 'publish', 'yes'],
    ['publish', 'publish --tag next', 'yes'],
    ['publish', '--prefix x publish', 'yes'],
    ['publish', '--prefix=x publish', 'yes'],
    ['publish', '-s publish', 'yes'],
    ['publish', 'publishx', 'no'],
    ['publish', 'run publish', 'no'],
    ['publish', '', 'no'],
    ['publish', '?', 'maybe'],
    ['publish', '--x ?', 'maybe'],
    ['push origin', '-C d push -q origin main', 'yes'],
    ['push origin', 'push upstream', 'no'],
    ['push --force', 'push origin main --force', 'yes'],
    ['push --force', 'push --force=true', 'yes'],
    ['push --force', 'push --forc', 'maybe'],
    ['push --force', 'push --force-with-lease', 'no'],
    ['push -f', 'push -uf', 'yes'],
    ['push -f', 'push -u', 'no'],
    ['push -f', 'push ?', 'maybe'],
    ['** main', 'push origin main', 'yes'],
    ['push ** main', 'push a b main', 'yes'],
    ['push ** main', 'push a b', 'no'],
    ['install *zod*', 'install @x/zod@4', 'yes'],
  ])('%j in %j: %s', ([patterns, line, hit]) => {
    expect(findsWords(patterns.split(' '), words(line))).toBe(hit);
  });

  test('an empty pattern matches any words', () => {
    expect(findsWords(null, [])).toBe('yes');
    expect(findsWords([], ['x'])).toBe('yes');
  });

  test('words are found before any other words, with options anywhere', () => {
    const word = fc.stringMatching(/^[a-z]{1,5}$/);
    const option = fc.stringMatching(/^--[a-z]{2,5}=[a-z]$/);
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1 }),
        fc.array(option),
        fc.array(word),
        (given, options, more) => {
          const line = given.flatMap((one, at) => [...(options[at] === undefined ? [] : [options[at]]), one]);
          expect(findsWords(given, [...line, ...more])).toBe('yes');
        },
      ),
    );
  });
});

describe('allowing', () => {
  test.for<[patterns: string, line: string, admits: boolean]>([
    ['install', 'install', true],
    ['install', 'install zod', false],
    ['install', 'installx', false],
    ['install **', 'install zod --save', true],
    ['install **', 'install', true],
    ['install *', 'install ?', false],
    ['install **', 'install ?', true],
    ['install zod@*', 'install zod@4', true],
    ['install', '-g install', false],
  ])('%j in %j: %s', ([patterns, line, admits]) => {
    expect(admitsWords(patterns.split(' '), words(line))).toBe(admits);
  });

  test('words that are allowed would also be held back by the same pattern', () => {
    const word = fc.stringMatching(/^[a-z*]{1,4}$/).filter((text) => text !== '**');
    fc.assert(
      fc.property(fc.array(word), fc.array(fc.stringMatching(/^[a-z]{1,4}$/)), (patterns, line) => {
        expect(!admitsWords(patterns, line) || findsWords(patterns, line) === 'yes').toBe(true);
      }),
    );
  });
});

test('a star matches characters of one word only', () => {
  expect(matchesWord('a*c', 'abbc')).toBe(true);
  expect(matchesWord('a*c', 'abbd')).toBe(false);
  expect(matchesWord('a.c', 'abc')).toBe(false);
});
