import { expect, test } from 'vitest';
import { literal } from '../../word.ts';
import { foundBy } from './find-tests.ts';

const found = (text: string): string => {
  const words = text.split(' ').filter((one) => one !== '');
  const answer = foundBy(words.map((word) => literal(word, { start: 0, end: 0 })));
  return answer.kind === 'named' ? answer.patterns.join(' ') : answer.kind;
};

test.each([
  ['-name *.js', '*.js'],
  ['-type f -iname *.orig -mtime +3', '*.orig'],
  ['( -name a -o -name b.* ) -type f', 'a b.*'],
  ['( ( -name a ) -or -iname b )', 'a b'],
  ['-name node_modules -prune -o -name *.js', '*.js'],
  ['-not -path ./.git/* -name *.js', '*.js'],
  ['! -name keep -name *.log', '*.log'],
])('the names found by %s are %s', (tests, names) => {
  expect(found(tests)).toBe(names);
});

test.each([
  '-type f -not -path ./.git/*',
  '! -path */.git/*',
  '-not -path */.*',
  '-path ./build/*',
  '-wholename src/gen/*',
])('the files found by %s are outside git', (tests) => {
  expect(found(tests)).toBe('without-git');
});

test.each([
  '',
  '-type f',
  '-name *',
  '-name .*',
  '-iname *.*',
  '-name ?git',
  '-name .SIGNALBOX*',
  '-name [.]git',
  '-name [[:punct:]]git',
  '-not -path ./.git',
  '! -path */.git -type f',
  '! -name *.js',
  '-name *.js -o -type f',
  '-name a -o',
  '-type f , -name a',
  '( -name a -o -type f )',
  '( -name a , -name b )',
  '( )',
  '( -name a',
  '-name a )',
  '-frobnicate -name a',
  '-path */x',
  '-path ./*',
  '-not -path ./src/*',
  '! ( -name a )',
  '-name',
  '!',
])('%s may find anything', (tests) => {
  expect(['all', '']).toContain(found(tests));
});

test('an unknown word makes it anything', () => {
  const unknown = {
    kind: 'dynamic',
    beginning: '',
    splits: false,
    span: { start: 0, end: 0 },
    origin: {},
  } as const;
  expect(
    foundBy([literal('-name', unknown.span), { ...literal('a', unknown.span), ...unknown } as never]),
  ).toEqual({
    kind: 'all',
  });
});
