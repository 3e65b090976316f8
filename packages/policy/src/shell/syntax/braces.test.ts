import { expect, test } from 'vitest';
import { expandBraces } from './braces.ts';

test.each([
  ['{a,b}', ['a', 'b']],
  ['{a,}', ['a', '']],
  ['{1..3}', ['1', '2', '3']],
  ['{3..1}', ['3', '2', '1']],
  ['{-1..1}', ['-1', '0', '1']],
  ['{a..c}', ['a', 'b', 'c']],
  ['{a,b{c,d}}', ['a', 'bc', 'bd']],
  ['{a,{1..2}}', ['a', '1', '2']],
])('%s expands to the same words as in bash', (text, words) => {
  expect(expandBraces(text)).toEqual(words);
});

test.each([
  ['quotes and expansions', '{a,"b"}'],
  ['one alternative', '{a}'],
  ['a list that is not balanced', '{a},b}'],
  ['a list that stays open', '{a,{b}'],
  ['padded numbers', '{01..03}'],
  ['a letter and a number', '{a..3}'],
  ['too many words', '{1..65}'],
  ['too many words in all', '{{1..40},{1..40}}'],
  ['an inner list that can not be known', '{a,{1..65}}'],
  ['two lists beside each other', '{a,{b,c}{d,e}}'],
  ['a brace that only closes and one that only opens', '{a,b}c{d,e}'],
  ['more than is looked at', `{${'a,'.repeat(2000)}}`],
])('%s leave the words unknown', (_name, text) => {
  expect(expandBraces(text)).toBeUndefined();
});
