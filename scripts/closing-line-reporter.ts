import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/**
 * Ends a run with a line that scripts can read, such as `12 passed, 0 failed`. It is preceded by the reasons of our own
 * errors, which vitest omits.
 *
 * Where `TEST_COUNTS` names a file, the line counts the tests of earlier runs with the same file too.
 */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const reasons: string[] = [];
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      const before = counts.failed;
      for (const test of module.children.allTests()) {
        counts[test.result().state] += 1;
        reasons.push(...reasonsOf(test));
      }
      // A file that could not be loaded, or whose hooks failed, fails without a failed test.
      if (module.state() === 'failed' && counts.failed === before) counts.failed += 1;
    }
    const { passed, failed, skipped } = withEarlierRuns({
      passed: counts.passed,
      failed: counts.failed + unhandledErrors.length,
      skipped: counts.skipped + counts.pending,
    });
    const reported = skipped > 0 ? `${skipped} skipped\n` : '';
    const line = `${reasons.join('')}${reported}${passed} passed, ${failed} failed`;
    // The very last thing: the coverage report, too, comes after this event.
    process.once('exit', () => process.stdout.write(`\n${line}\n`));
  }
}

type Counts = Readonly<{ passed: number; failed: number; skipped: number }>;

/** Adds these counts to those in the file, and returns the sum. */
function withEarlierRuns(counts: Counts): Counts {
  const file = process.env['TEST_COUNTS'];
  if (file === undefined) return counts;
  const earlier: Counts = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Counts)
    : { passed: 0, failed: 0, skipped: 0 };
  const sum = {
    passed: earlier.passed + counts.passed,
    failed: earlier.failed + counts.failed,
    skipped: earlier.skipped + counts.skipped,
  };
  writeFileSync(file, JSON.stringify(sum));
  return sum;
}

/** The reasons of our own errors. */
function reasonsOf(test: TestCase): readonly string[] {
  const errors = (test.result().errors ?? []).filter(({ why }) => Array.isArray(why) && why.length > 0);
  return errors.map(({ message, why }) => `${test.fullName}: ${message}: ${JSON.stringify(why)}\n`);
}
