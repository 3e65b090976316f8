import { describe, expect, test } from 'vitest';
import { printingPipes } from './printing-pipes.ts';

/** Pipes by `;`, programs by `|`, spellings by ` = `; `?` for an unknown word. */
function written(line: string): string {
  return printingPipes(line)
    .map((pipe) =>
      pipe
        .map((program) => program.map((words) => words.map((word) => word ?? '?').join(' ')).join(' = '))
        .join(' | '),
    )
    .join('; ');
}

/** A line inside that many shells. */
function within(shells: number, line: string): string {
  return shells === 0 ? line : `sh -c ${JSON.stringify(within(shells - 1, line))}`;
}

describe('printingPipes() names the programs that print (S001-44)', () => {
  test.for<[string, string]>([
    ['npm test', 'npm test'],
    ['cd web && npm ci && npm test', 'npm ci; npm test'],
    ['npm test 2>&1 | tail -20', 'npm test | tail -20'],
    ['npx vitest run', 'npx vitest run = vitest run'],
    ['node_modules/.bin/eslint . > log', 'eslint .'],
    ['CI=1 timeout -k 5 60 npx jest', 'timeout -k 5 60 npx jest = npx jest = jest'],
    ['python -m pytest -x', 'python -m pytest -x = pytest -x'],
    ["bash -lc 'cd web && npm test'", 'npm test'],
    ['bash build.sh', 'bash build.sh'],
    ['$TOOL --check', '? --check'],
    ['npm run "$X"', 'npm run ?'],
    ['(make a; make b)', 'make a; make b'],
    ['{ make a; make b; } | tee log', 'make a | make b | tee log'],
    ['cd web | :', ''],
    ['if [ -f a ]; then make a; elif true; then make b; else make c; fi', 'make a; make b; make c'],
    ['if true; then make a; fi', 'make a'],
    ['case $A in x) make x ;; *) make y ;; esac', 'make x; make y'],
    ['for f in *; do make "$f"; done', 'make ?'],
    ['[[ -f a ]] || (( n > 3 ))', ''],
    ['f() { make a; }', ''],
    ['coproc make a', ''],
    ['{ make a; } > log', 'make a'],
    ['A=1', ''],
    ['grep "', ''],
    ['('.repeat(40), ''],
    [within(3, 'make a'), 'make a'],
    [within(4, 'make a'), ''],
  ])('%j', ([line, expected]) => {
    expect(written(line)).toBe(expected);
  });
});
