import { describe, expect, test } from 'vitest';
import { answerCodes } from './answer-codes.ts';

/** `1`, `1-123`. */
function reported(line: string): string {
  const codes = answerCodes(line);
  return codes.length > 2 ? `${codes[0]}-${codes.at(-1)}` : codes.join(',');
}

/** A line inside that many shells. */
function within(shells: number, line: string): string {
  return shells === 0 ? line : `sh -c ${JSON.stringify(within(shells - 1, line))}`;
}

describe('answerCodes (S001-D9)', () => {
  test.for<[string, string]>([
    ['grep -rn TODO src', '1'],
    ['/usr/bin/grep x a', '1'],
    ['rg x | head -5', ''],
    ['cat a | grep x', '1'],
    ['diff a b', '1'],
    ['git diff --exit-code', '1,2'],
    ['git -C web grep TODO', '1'],
    ['git push', ''],
    ['test -f a', '1'],
    ['[ -f a ]', '1'],
    ['[[ -f a ]]', '1'],
    ['(( n > 3 ))', '1'],
    ['! grep -q x a', '1'],
    ['pylint src', '2-31'],
    ['cargo test --all', '101'],
    ['node --test', '1'],
    ['node a.js', ''],
    ['./build.sh', ''],
    ['$TOOL --check', ''],
    ['npm test', '1-123'],
    ['npm run test:unit -- --bail', '1-123'],
    ['npm --prefix web run lint', '1-123'],
    ['npm run build', ''],
    ['npm ci', ''],
    ['npm', ''],
    ['npm $X', ''],
    ['make -C web check', '2'],
    ['make', ''],
    ['./gradlew test', '1'],
  ])('lists the answer codes of a program: %j', ([line, expected]) => {
    expect(reported(line)).toBe(expected);
  });

  test.for<[string, string]>([
    ['npx vitest run', '1'],
    ['node_modules/.bin/eslint .', '1'],
    ['npm exec -- tsc --noEmit', '1,2'],
    ['npm exec', ''],
    ['yarn vitest', '1'],
    ['yarn run eslint .', '1'],
    ['yarn install', ''],
    ['python -m pytest -x', '1'],
    ['python a.py', ''],
    ['poetry install', ''],
    ['poetry run mypy src', '1'],
    ['CI=1 timeout -k 5 60 env A=1 npx jest', '1'],
    ['timeout 5', ''],
    ["bash -lc 'cd web && npm test'", '1-123'],
    ['bash a.sh', ''],
    ['bash -c', ''],
    [`${'nice '.repeat(9)}grep x a`, ''],
    ["bash -c 'cd web'", ''],
    [within(3, 'grep x a'), '1'],
    [within(4, 'grep x a'), ''],
  ])('sees the program behind one that starts it: %j', ([line, expected]) => {
    expect(reported(line)).toBe(expected);
  });

  test.for<[string, string]>([
    ['cd web && npm test', '1-123'],
    ['npm run build && npm test', ''],
    ['npx eslint . && npx tsc --noEmit', '1'],
    ['grep -q x a || grep -q y a', '1'],
    ['./setup || npm test', '1-123'],
    ['./setup; npm test', '1-123'],
    ['set -e; ./setup; npm test', ''],
    ['npm test | tail -20', ''],
    ['set -o pipefail; npm test | tail -20', ''],
    ['set -o pipefail; grep x a | grep y', '1'],
    ['npm test; cd web', ''],
    ['npm test &', ''],
    ['if [ -f a ]; then grep x a; elif true; then grep y a; else cmp a b; fi', '1'],
    ['if true; then grep x a; fi', '1'],
    ['case $A in x) grep x a ;; *) ls ;; esac', ''],
    ['for f in *; do grep x "$f"; done', '1'],
    ['(cd web; grep x a)', '1'],
    ['{ grep x a; } > b', '1'],
    ['f() { grep x a; }', ''],
    ['A=1', ''],
    ['grep "', ''],
    ['('.repeat(40), ''],
  ])('considers every program that may have ended the line: %j', ([line, expected]) => {
    expect(reported(line)).toBe(expected);
  });
});
