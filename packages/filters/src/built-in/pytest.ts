import type { Filter } from '../filter.ts';
import { prefixes } from '../match/command-matcher.ts';
import { shortRulers, without } from '../lines/without.ts';

/** Progress without a failure: `tests/test_a.py ..s.  [ 40%]`, or its continuation. */
const DOTS = /^(?:[^ ]{1,300}\.py )?[.sx]+(?: *\[ *\d{1,3}%\])?$/;
/** `-v`: one line for each test. */
const PASSED =
  /^[^ ]{1,300}::.{1,500} (?:PASSED|SKIPPED|XFAIL)(?: \([^()]{0,300}\))? *(?:\[ *\d{1,3}%\])?$|^\[gw\d+\] \[ *\d{1,3}%\] (?:PASSED|SKIPPED|XFAIL) |^\S{1,300} \(.{1,300}\) \.\.\. (?:ok$|skipped\b)/;
/** `_ _ _ _` is between the frames of a failure. */
const HEADER =
  /^(?:(?:_ ){8}|platform \w+ -- |cachedir: |plugins: |-- Docs: |asyncio: |hypothesis profile |benchmark: )/;

export const pytest: Filter = {
  name: 'pytest',
  matchers: prefixes('pytest', 'py.test', 'unittest', 'tox', 'nox'),
  signature: /^={3,} ?test session starts ?={3,}$/,
  isSummary: (line) =>
    /^(?:={3,} )?(?:\d+ (?:passed|failed|error|skipped|deselected|warning)|no tests ran)\b.* in \d/.test(
      line,
    ) || /^Ran \d+ tests? in /.test(line),
  stages: [without(() => (line) => DOTS.test(line) || PASSED.test(line) || HEADER.test(line)), shortRulers],
};
