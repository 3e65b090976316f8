import type { Filter } from '../filter.ts';
import { prefixes } from '../match/command-matcher.ts';
import { shortRulers, without } from '../lines/without.ts';

/** A test or a file of tests that passed or was skipped, and rulers between failures. */
const PASSED = /^\s*[✓√↓] |^⎯+(?:\[\d+\/\d+\]⎯*)?$/;
/** Rows of the coverage table in which nothing is missing, but its total stays. */
export const COVERED = /^(?! {0,20}All files)[^|]*\|(?: {1,20}100 {1,20}\|){4} {0,40}\|?$/;

export const vitest: Filter = {
  name: 'vitest',
  matchers: prefixes('vitest'),
  signature: /^ ?(?:RUN|DEV) {1,4}v\d|^ Test Files {1,4}\d/,
  isSummary: (line) => /^ *Test Files {1,4}\d|^No test files found/.test(line),
  stages: [without(() => (line) => PASSED.test(line) || COVERED.test(line)), shortRulers],
};
