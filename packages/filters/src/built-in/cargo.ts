import type { Filter } from '../filter.ts';
import { prefixes } from '../match/command-matcher.ts';
import type { LineStep } from '../lines/line-step.ts';
import { isVital } from '../lines/vital-line.ts';
import { without, type NoiseTest } from '../lines/without.ts';

/** Work on one crate; the right-aligned verb is cargo's own. */
const STEP =
  /^ {1,12}(?:Compiling|Checking|Downloading|Downloaded|Updating|Locking|Adding|Fresh|Building|Documenting|Unpacking|Installing|Replacing|Blocking|Dirty) /;
const PASSED = /^test .{1,500} \.\.\. (?:ok|ignored)(?:, .{0,200}| <[\d.]{1,12}s>)?$/;

/** Steps, tests that passed, and the lines of a program that has no tests. */
function cargoNoise(): NoiseTest {
  let isEmpty = false;
  return (line) => {
    if (line === 'running 0 tests') {
      isEmpty = true;
      return true;
    }
    if (isEmpty && (line === '' || line.startsWith('test result: ok. 0 passed'))) return true;
    isEmpty = false;
    return PASSED.test(line) || (STEP.test(line) && !isVital(line));
  };
}

/** A function of a backtrace, and its place in the standard library. */
const FRAME = /^ +\d+: /;
const IN_STANDARD_LIBRARY = /^ +at \/rustc\/[0-9a-f]{7,64}\//;

const standardFrames: LineStep = (lines) =>
  lines.filter((line, at) => {
    if (IN_STANDARD_LIBRARY.test(line)) return !FRAME.test(lines[at - 1] ?? '');
    return !FRAME.test(line) || !IN_STANDARD_LIBRARY.test(lines[at + 1] ?? '');
  });

export const cargo: Filter = {
  name: 'cargo',
  matchers: prefixes('cargo'),
  signature: /^ {2,4}(?:Compiling|Finished|Checking) \S|^test result: /,
  isSummary: (line) =>
    /^test result: |^ {1,12}Finished |^error: (?:could not compile|test failed)/.test(line),
  stages: [without(cargoNoise), standardFrames],
};
