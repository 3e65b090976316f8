import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node';
import { rowsOf } from './data.ts';
import { ROOT, readMarks, readRequirements } from './read.ts';
import { notShown } from './shown.ts';

/**
 * Ends a run with the requirements that are done, but of which every test was skipped or failed. In CI, where nothing may
 * be skipped for want of a program, that fails the run.
 */
export default class ShownReporter implements Reporter {
  #isFiltered = false;

  onInit({ config }: Vitest): void {
    this.#isFiltered = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#isFiltered) return;
    const run = modules.flatMap((module) => {
      const file = relative(ROOT, module.moduleId);
      return Array.from(module.children.allTests(), (test) => ({
        file,
        titles: titlesOf(test),
        passed: test.result().state === 'passed',
      }));
    });
    const missing = notShown(run, { rows: rowsOf(readRequirements()), marks: readMarks() });
    if (missing.length === 0) return;
    process.stderr.write(`\nRequirements that this run did not show:\n${missing.join('\n')}\n`);
    if (process.env['CI'] !== undefined) process.exitCode = 1;
  }
}

function titlesOf(test: TestCase): readonly string[] {
  const titles = [test.name];
  let outer: TestSuite | TestModule = test.parent;
  while (outer.type === 'suite') {
    titles.unshift(outer.name);
    outer = outer.parent;
  }
  return titles;
}
