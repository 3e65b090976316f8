import type { Reporter, TestCase, TestModule } from 'vitest/node';

/**
 * Ends a run with a line that scripts can read, such as `12 passed, 0 failed`. Before it stands why our own errors
 * came, which vitest does not tell.
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
    const failed = counts.failed + unhandledErrors.length;
    const skipped = counts.skipped + counts.pending;
    const told = skipped > 0 ? `${skipped} skipped\n` : '';
    const line = `${reasons.join('')}${told}${counts.passed} passed, ${failed} failed`;
    // The very last thing: the coverage report, too, comes after this event.
    process.once('exit', () => process.stdout.write(`\n${line}\n`));
  }
}

/** Of errors that say what could not be done, why, and what next. */
function reasonsOf(test: TestCase): readonly string[] {
  const errors = (test.result().errors ?? []).filter(({ why }) => Array.isArray(why) && why.length > 0);
  return errors.map(({ message, why }) => `${test.fullName}: ${message}: ${JSON.stringify(why)}\n`);
}
