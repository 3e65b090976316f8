import { readdirSync, readFileSync } from 'node:fs';
import { CheckReport } from '@signalbox/core';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_FINDINGS } from './findings.ts';
import { readLintReport, readTestReport } from './read-report.ts';

const folder = new URL('../../recorded/', import.meta.url);
const REPORTS = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));

/** Pieces of real reports, in any order and cut anywhere. */
const torn = fc
  .array(
    fc
      .tuple(fc.constantFrom(...REPORTS), fc.nat(3000), fc.nat(3000))
      .map(([text, from, length]) => text.slice(from, from + length)),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join(''));

function check(text: string): void {
  for (const report of [readTestReport(text), readLintReport(text)]) {
    if (report === null) continue;
    expect(CheckReport.safeParse(report).success).toBe(true);
    expect(report.first.length).toBeLessThanOrEqual(MAX_FINDINGS);
    expect(JSON.stringify(report).length).toBeLessThan(MAX_FINDINGS * 2000);
  }
}

test('whatever a program wrote, reading it never fails and its report is bounded (M6)', () => {
  fc.assert(fc.property(torn, check), { numRuns: 60 });
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), check));
  fc.assert(fc.property(fc.json(), check));
});

/** Texts that make a parser with backtracking, or one that looks back, take the square of their length. */
const HOSTILE: Readonly<Record<string, string>> = {
  'open tags': '<testsuites><testcase name="',
  'unclosed tags': '<testsuite ',
  'open comments': '<testsuites><!--',
  attributes: '<testsuites a=\'"',
  'JSON starts': '{\n',
  'JSON that is none': '{]\n',
  'open lists': '[',
  'JSON lines': '{"Action":"output","Package":"p","Test":"T","Output":"x"}\n',
  'TAP results': '1..1\nnot ok 1 - x\n',
  'cargo failures': '---- a stdout ----\ntest result: FAILED. 1 passed; 1 failed; 0 ignored;\n',
  'go failures': '--- FAIL: T (0.1s)\nFAIL\tp [build failed]\n',
  'pytest failures': 'FAILED a.py::t - x\n1 failed in 1s\n',
  'mocha failures': '  1) a\n  1 failing\n',
  'spaces in a finding': '1:1  error  a  ',
  places: 'a.b.c.d.e.',
  'rustc findings': 'warning: x\n --> a.rs:1:1\n',
};

test.for(Object.keys(HOSTILE))('reading takes time in proportion to the text: %s (M6)', (name) => {
  const [small, large] = [20_000, 200_000].map((length) => {
    const text = (HOSTILE[name] ?? '').repeat(Math.ceil(length / (HOSTILE[name] ?? '').length));
    return stepsOf(() => check(text));
  });
  // 10 times the text; the square would be 100 times.
  expect((large ?? 0) / Math.max(small ?? 0, 8)).toBeLessThan(50);
});

/** Processor time in milliseconds, which other processes do not count towards; the least of three. */
function stepsOf(run: () => void): number {
  return Math.min(
    ...Array.from({ length: 3 }, () => {
      const before = process.cpuUsage();
      run();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    }),
  );
}
