import { expect, test } from 'vitest';
import { isFetch } from './is-fetch.ts';

test.for([
  ['git fetch --depth=1 origin main', true],
  ['git fetch --unshallow 2>&1 | tail -5', true],
  ['cd sub && git -C . pull -q --deepen 5', true],
  ['git fetch --depth 1 origin && git checkout FETCH_HEAD', true],
  ['git submodule update --init --depth 1; git remote update', true],
  ['timeout 60 git fetch --depth 1', true],
  ['timeout --foreground --signal=KILL 1.5m git pull && git log | head', true],
  ['git status', false],
  ['timeout 60 git status', false],
  ['timeout 60 x git fetch', false],
  ['timeout $x git fetch', false],
  ['timeout 60', false],
  ['timeout 60 timeout 5 git fetch', false],
  ['git remote add x y', false],
  ['git fetch && bash x.sh', false],
  ['timeout 60 bash x.sh; git fetch', false],
  ['git fetch; cp x link/shallow', false],
  ['git fetch; echo x > link/shallow', false],
  ['git -c alias.x=!x x; git fetch', false],
  ['git fetch $(x)', false],
  ['git fetch "', false],
] as const)('%s is a fetch and nothing besides: %s', ([line, expected]) => {
  expect(isFetch(line)).toBe(expected);
});
