import type { Filter } from '../filter.ts';
import { prefixes } from '../match/command-matcher.ts';
import { shortRulers, without, type NoiseTest } from '../lines/without.ts';
import { isNodeFrame } from './node-test.ts';
import { COVERED } from './vitest.ts';

/** After a file that passed: its tests, indented by their groups, until another file or a detail begins. */
const TREE = /^ {2,}(?![●○]|console\.)\S/;

function jestNoise(): NoiseTest {
  let isInPassed = false;
  return (line) => {
    if (/^(?:PASS|RUNS) /.test(line)) {
      isInPassed = true;
      return true;
    }
    if (isInPassed && TREE.test(line)) return true;
    isInPassed = false;
    return /^ *[✓√○] /.test(line) || COVERED.test(line) || isNodeFrame(line);
  };
}

export const jest: Filter = {
  name: 'jest',
  matchers: prefixes('jest', 'react-scripts test'),
  signature: /^(?:PASS|FAIL) \S{1,200}\.[cm]?[jt]sx?\b|^Test Suites: /,
  isSummary: (line) => /^Tests: {1,10}\d/.test(line),
  stages: [without(jestNoise), shortRulers],
};
