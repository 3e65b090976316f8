import type { Filter } from '../filter.ts';
import { without, type NoiseTest } from '../lines/without.ts';

const INDENT = /^ */;
/** A line of a stack inside Node.js itself. */
const NODE_FRAME = /^ +(?:at )?(?:async )?\S.{0,200} \(node:[^()]{1,200}\)(?: \{)?$/;

export function isNodeFrame(line: string): boolean {
  return line.includes('(node:') && NODE_FRAME.test(line);
}

/** The plain list and TAP of Node.js, and the list of mocha: a test that passed, and what TAP adds to it. */
function passedTests(): NoiseTest {
  let isInDetails = false;
  return (line) => {
    if (/^ *[✔✓﹣] /.test(line)) {
      isInDetails = false;
      return true;
    }
    if (/^ *(?:ok \d|# Subtest:| \d+\.\.\d+$)/.test(line)) {
      isInDetails = line.includes('ok ');
      return true;
    }
    if (isInDetails && /^ +(?:---|\.\.\.|duration_ms:|type:)/.test(line)) return true;
    isInDetails = false;
    return isNodeFrame(line);
  };
}

/** The heading of a group that has no line of its own left: `▶ cart` right before `▶ price` at the same depth. */
function emptyGroups(lines: readonly string[]): readonly string[] {
  return lines.filter((line, at) => {
    if (!/^ *▶ /.test(line)) return true;
    const next = lines[at + 1];
    return next !== undefined && depthOf(next) > depthOf(line);
  });
}

function depthOf(line: string): number {
  return INDENT.exec(line)?.[0].length ?? 0;
}

export const nodeTest: Filter = {
  name: 'node-test',
  matchers: [
    {
      kind: 'custom',
      matches: ([program, ...words]) =>
        program === 'mocha' ||
        (program === 'node' && words.some((word) => word?.startsWith('--test') === true)),
    },
  ],
  signature: /^[ℹ#] (?:tests|suites) \d+$|^TAP version \d+$/,
  isSummary: (line) => /^[ℹ#] tests \d+$|^ {2}\d+ (?:passing|failing)\b/.test(line),
  stages: [without(passedTests), emptyGroups],
};
