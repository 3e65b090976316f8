import type { Filter } from '../filter.ts';
import { prefixes } from '../match/command-matcher.ts';
import { shortRulers, without, type NoiseTest } from '../lines/without.ts';
import { isNodeFrame } from './node-test.ts';
import { COVERED } from './vitest.ts';

/** After a file that passed: its tests, indented by their groups, until another file or a detail begins. */
const TREE = /^ {2,}(?![●○]|console\.)\S/;

/** Of more than 20 files jest prints all failures a second time, below this line. */
const REPEATS = 'Summary of all failing tests';
/** Begins the failures of a file, or one of them. */
const FAILURE = /^FAIL \S+|^ {2}● \S.*/;

function jestNoise(): NoiseTest {
  let isInPassed = false;
  const isRepeated = repeatTest();
  return (line) => {
    if (isRepeated(line)) return true;
    if (/^(?:PASS|RUNS) /.test(line)) {
      isInPassed = true;
      return true;
    }
    if (isInPassed && TREE.test(line)) return true;
    isInPassed = false;
    return /^ *[✓√○] /.test(line) || COVERED.test(line) || isNodeFrame(line);
  };
}

/** Failures of the second print that were in the first: another reporter prints only the second. */
function repeatTest(): NoiseTest {
  const printed = new Set<string>();
  let isSecond = false;
  let isNoise = false;
  return (line) => {
    if (line === REPEATS) {
      isSecond = true;
      isNoise = printed.size > 0;
    } else if (line.startsWith('Test Suites: ')) {
      isSecond = false;
      isNoise = false;
    }
    const failure = FAILURE.exec(line)?.[0].trimEnd();
    if (failure === undefined) return isNoise;
    if (isSecond) isNoise = printed.has(failure);
    else printed.add(failure);
    return isNoise;
  };
}

export const jest: Filter = {
  name: 'jest',
  matchers: prefixes('jest', 'react-scripts test'),
  signature: /^(?:PASS|FAIL) \S{1,200}\.[cm]?[jt]sx?\b|^Test Suites: /,
  isSummary: (line) => /^Tests: {1,10}\d/.test(line),
  stages: [without(jestNoise), shortRulers],
};
