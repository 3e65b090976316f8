import type { Filter } from '../filter.ts';
import { prefixes } from '../match/command-matcher.ts';
import { without, withoutCounted } from '../lines/without.ts';

const STEP =
  /^=== (?:RUN|PAUSE|CONT|NAME) |^ *--- (?:PASS|SKIP): |^PASS$|^go: (?:downloading|extracting|finding) /;
const OK = /^ok {2}\t/;
const NO_TESTS = /^\?  {0,3}\t.* ?\[no test files\]$/;

export const go: Filter = {
  name: 'go',
  matchers: prefixes('go', 'gotestsum'),
  signature: /^=== RUN {3}\S|^(?:ok {2}|FAIL)\t\S/,
  isSummary: (line) => /^(?:ok {2}|FAIL|\? {3})\t\S|^FAIL$/.test(line),
  stages: [
    without(() => (line) => STEP.test(line)),
    withoutCounted((line) => OK.test(line), { noun: 'package', what: 'passed' }),
    withoutCounted((line) => NO_TESTS.test(line), { noun: 'package', what: 'without tests' }),
  ],
};
