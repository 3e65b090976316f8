import type { CheckReport } from '@signalbox/core';
import * as z from 'zod';
import { createFindings } from './findings.ts';
import { hasField } from './json-documents.ts';

/** One line of `go test -json` (`go doc test2json`). */
const GoEvent = z.object({
  Action: z.string(),
  Package: z.string().optional(),
  Test: z.string().optional(),
  Output: z.string().optional(),
});

/** Of one test's output. */
const MAX_OUTPUT = 4000;
/** `    cart_test.go:12: got 3, want 4` */
const GO_PLACE = /^\s{0,20}([\w.-]{1,200}\.go):(\d{1,7}): (.*)/m;

type GoResult = { result: string | null; output: string };

/** The results in `go test -json`; null when no line is of it. */
export function goTestEvents(lines: readonly unknown[]): CheckReport | null {
  const tests = new Map<string, GoResult>();
  const packages = new Map<string, GoResult>();
  const parents = new Set<string>();
  for (const line of lines) {
    if (!hasField(line, 'Package')) continue;
    const { data } = GoEvent.safeParse(line);
    if (data?.Package === undefined) continue;
    const { Action, Package, Test, Output = '' } = data;
    const [of, key] = Test === undefined ? [packages, Package] : [tests, `${Package} ${Test}`];
    const known = of.get(key) ?? { result: null, output: '' };
    of.set(key, known);
    if (Action === 'output' && known.output.length < MAX_OUTPUT) known.output += Output.slice(0, MAX_OUTPUT);
    // A test that runs several times has failed if one of them failed.
    if (['pass', 'fail', 'skip'].includes(Action) && known.result !== 'fail') known.result = Action;
    const cut = Test?.lastIndexOf('/') ?? -1;
    if (Test !== undefined && cut > 0) parents.add(`${Package} ${Test.slice(0, cut)}`);
  }
  if (tests.size === 0 && packages.size === 0) return null;
  const findings = createFindings();
  const counts = { pass: 0, fail: 0, skip: 0 };
  const failedPackages = new Set<string>();
  for (const [key, { result, output }] of tests) {
    // A test with subtests fails with them.
    if (parents.has(key)) continue;
    // One without a result was running when its package ended: it panicked.
    const ended = result === 'pass' || result === 'skip' ? result : 'fail';
    counts[ended] += 1;
    if (ended !== 'fail') continue;
    failedPackages.add(key.slice(0, key.indexOf(' ')));
    const [, path, line, message = output] = GO_PLACE.exec(output) ?? [];
    findings.add({ name: key, message, path, line: line === undefined ? undefined : Number(line) });
  }
  for (const [name, { result, output }] of packages) {
    if (result !== 'fail' || failedPackages.has(name)) continue;
    counts.fail += 1;
    findings.add({ name, message: output });
  }
  return {
    kind: 'tests',
    source: 'go test -json',
    first: findings.first,
    passed: counts.pass,
    failed: counts.fail,
    skipped: counts.skip,
  };
}
