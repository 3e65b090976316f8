import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUILT_IN_FILTERS } from './built-in/built-in-filters.ts';
import type { Filter } from './filter.ts';
import { filterText } from './filter-text.ts';
import { declaredFilter } from './declared-filter.ts';
import { screenLines } from './lines/screen-lines.ts';
import { isVital } from './lines/vital-line.ts';
import { compileForTests, filtered } from './testing/recorded-log.ts';

/** Real lines of all kinds, and made-up ones. */
const line = fc.oneof(
  fc.constantFrom(
    ' ✓ src/a.test.ts (3 tests) 5ms',
    ' × src/b.test.ts > fails 3ms',
    'PASS src/a.test.js',
    '  ✓ adds (3 ms)',
    'tests/test_a.py ..s. [ 40%]',
    'tests/test_a.py::test_b PASSED [ 50%]',
    'test a::b ... ok',
    'running 0 tests',
    'test result: ok. 0 passed; 0 failed',
    'ok  \tshop/a\t0.1s',
    '=== RUN   TestA',
    '    ok 1 - a',
    '      ---',
    '▶ group',
    'npm warn deprecated a@1: old',
    '#5 sha256:0123456789ab 1MB / 2MB',
    '   Compiling serde v1.0.1',
    '========================',
    '10 %\r20 %',
    'same',
    'same',
    '',
    'diff --git a/yarn.lock b/yarn.lock',
    '+  resolved "a"',
    'commit 0123456789abcdef',
  ),
  fc.constantFrom(
    'error: no such file',
    'src/a.ts:12:3 - x',
    'WARNING: permission denied',
    'TypeError: x',
    'CVE-2024-1 in a',
  ),
  fc.string({ maxLength: 40 }).map((text) => text.replaceAll('\n', ' ')),
);
const text = fc.array(line, { maxLength: 60 }).map((lines) => lines.join('\n'));

/** A filter that leaves out all it may. */
const GREEDY = declaredFilter(
  'greedy',
  {
    match: { prefix: 'make' },
    strip: ['.'],
    keep: ['nothing'],
    context: 1,
    fold: 'similar',
    head: 3,
    tail: 2,
  },
  compileForTests,
);

/** Lines that a built-in filter knows as harmless, although they have such words: a passed test may be named `error`. */
const KNOWN = /^\s*[✓✔√↓○] |^npm warn deprecated|^PASS |^\s+at .*\(node:|^test result: ok\. 0 passed|^[+ -]/;

describe.for([...BUILT_IN_FILTERS, GREEDY].map((filter): [string, Filter] => [filter.name, filter]))(
  'the filter %s',
  ([, filter]) => {
    test('leaves out no line with an error, a warning, a note on security or a place', () => {
      fc.assert(
        fc.property(text, (printed) => {
          const kept = new Set(
            filterText(printed, [filter])
              .text.split('\n')
              .map((one) => one.replace(/ {2}×\d+$/, '')),
          );
          const lost = screenLines(printed).filter(
            (one) => isVital(one) && !KNOWN.test(one) && !kept.has(one),
          );
          expect(lost).toEqual([]);
        }),
      );
    });

    test('leaves a filtered text as it is', () => {
      fc.assert(
        fc.property(text, (printed) => {
          const once = filterText(printed, [filter]).text;
          expect(filterText(once, [filter]).text).toBe(once);
        }),
      );
    });
  },
);

describe('hostile output', () => {
  const LONG = 256 * 1024;
  const HOSTILE = [
    'x',
    ' ',
    '\n',
    '=',
    '_ ',
    '.',
    'error ',
    '\r',
    '\b',
    '\u001B[',
    '\u001B[9A',
    '\u001B]',
    '✓ ',
    'a\n',
    'a.py ',
    'test ',
    '::',
    'a\nb\n',
    '|',
    '(node:',
    ' at (node:a)\n',
    '1\n',
  ];

  test.for(HOSTILE)('%j takes time in proportion to its length', (unit) => {
    const [short, long] = [LONG / 16, LONG].map((size) => unit.repeat(Math.ceil(size / unit.length)));
    let [least, most] = [Infinity, Infinity];
    // Other load on the machine only adds time: the least of several turns is the cost of the work itself.
    for (let turn = 0; turn < 10 && (turn < 2 || most / least >= 8); turn += 1) {
      least = Math.min(
        least,
        timeOf(() => Array.from({ length: 16 }, () => work(short ?? ''))),
      );
      most = Math.min(
        most,
        timeOf(() => work(long ?? '')),
      );
    }
    expect(most / least).toBeLessThan(8);
  });

  function work(printed: string): void {
    filtered('npm test', printed);
    filterText(printed, BUILT_IN_FILTERS);
    filterText(printed, [GREEDY]);
  }

  function timeOf(run: () => unknown): number {
    const before = process.cpuUsage();
    run();
    return process.cpuUsage(before).user + 1;
  }
});
