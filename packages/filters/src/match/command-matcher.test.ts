import { expect, test } from 'vitest';
import { type CommandMatcher, matchesProgram } from './command-matcher.ts';

const NPX = [
  ['npx', 'vitest', 'run'],
  ['vitest', 'run'],
];
const UNKNOWN = [['npm', 'run', null]];

test.for<[CommandMatcher, boolean, boolean]>([
  [{ kind: 'exact', command: 'vitest run' }, true, false],
  [{ kind: 'exact', command: 'vitest' }, false, false],
  [{ kind: 'prefix', command: 'npx  vitest' }, true, false],
  [{ kind: 'prefix', command: 'vit' }, false, false],
  [{ kind: 'prefix', command: 'npm run' }, false, true],
  [{ kind: 'exact', command: 'npm run build' }, false, false],
  [{ kind: 'regex', regex: { finds: (text) => /^vitest r|run …$/.test(text) } }, true, true],
  [{ kind: 'custom', matches: (words) => words.includes(null) }, false, true],
])('a matcher %j is for any spelling of a program (S001-44)', ([matcher, isForNpx, isForUnknown]) => {
  expect(matchesProgram(matcher, NPX)).toBe(isForNpx);
  expect(matchesProgram(matcher, UNKNOWN)).toBe(isForUnknown);
});
