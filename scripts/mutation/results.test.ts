import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { codeHash, FLOOR, MUTATED_FILES } from './mutated-files.ts';
import { type Report, resultOf } from './read-report.ts';
import { readResults } from './results.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RESULTS = readResults();

test.each(MUTATED_FILES)('the tests of $file notice 90 % of the changes of its code', ({ file }) => {
  const result = RESULTS[file];
  expect(result?.code, `its code has changed since: npm run mutation -- ${file}`).toBe(codeHash(ROOT, file));
  const { killed = 0, changes = 1 } = result ?? {};
  expect((100 * killed) / changes).toBeGreaterThanOrEqual(FLOOR);
});

test('only listed files have results', () => {
  expect(Object.keys(RESULTS).toSorted()).toEqual(MUTATED_FILES.map(({ file }) => file).toSorted());
});

const mutant = (status: string, { line, to: replacement }: Readonly<{ line: number; to: string }>) => ({
  id: '0',
  mutatorName: 'ConditionalExpression',
  replacement,
  status,
  location: { start: { line, column: 5 }, end: { line, column: 6 } },
});

test('a result counts what a test noticed, leaves out what could not be tried, and lists the rest in order', () => {
  const mutants = [
    mutant('NoCoverage', { line: 2, to: 'true' }),
    mutant('Survived', { line: 1, to: 'false' }),
    mutant('Survived', { line: 1, to: 'false' }),
    mutant('Killed', { line: 1, to: 'true' }),
    mutant('Timeout', { line: 2, to: 'false' }),
    mutant('RuntimeError', { line: 2, to: 'false' }),
    mutant('Ignored', { line: 1, to: 'true' }),
  ];
  const report: Report = { files: { 'a.ts': { source: 'if (a) b();\nif (c) d();', mutants } } };
  expect(resultOf(report, 'a.ts')).toEqual({
    killed: 3,
    changes: 6,
    survivors: ['a → false (ConditionalExpression)', 'c → true (ConditionalExpression)'],
  });
  expect(() => resultOf(report, 'b.ts')).toThrow('The report lacks b.ts');
});
