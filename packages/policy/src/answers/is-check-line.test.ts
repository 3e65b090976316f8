import { describe, expect, test } from 'vitest';
import { isCheckLine } from './is-check-line.ts';

/** The line in so many shells. */
function within(depth: number, line: string): string {
  return depth === 0 ? line : `bash -c ${JSON.stringify(within(depth - 1, line))}`;
}

describe('isCheckLine() (O1)', () => {
  test('a line in more than three shells is not read', () => {
    expect([isCheckLine(within(3, 'npm test')), isCheckLine(within(4, 'npm test'))]).toEqual([true, false]);
  });

  test.for([
    'npm test',
    'npm run build',
    'pnpm run test:unit -- --bail',
    'cd web && npm test 2>&1 | tail -20',
    'npx vitest run src/a.test.ts',
    'timeout 60 npx eslint .',
    'env CI=1 npm test',
    'python -m pytest -x',
    'bash -lc "npm test"',
    'cargo build --release && cargo test',
    'go vet ./... && go test ./...',
    'node --test',
    './node_modules/.bin/tsc --noEmit',
    'make check',
    'npm test >/dev/null',
    'cd /home/ana/shop && npm test | grep -c ok',
    'npm test; cat report.txt; echo /done',
  ])('a line of tests, builds and linters is one: %s', (line) => {
    expect(isCheckLine(line)).toBe(true);
  });

  test.for([
    '',
    'ls',
    'echo passed',
    'cat a | grep x',
    'npm start',
    'npm install && npm test',
    'make deploy',
    'make',
    'node a.js',
    './test.sh',
    'npm test; ./deploy.sh',
    'npm test > report.txt',
    'npm test | tee report.txt',
    'npm test | sh',
    'npm test &',
    'X=$(date) npm test',
    'npm test $(cat flags)',
    'npm() { echo ok; }; npm test',
    'npm $SCRIPT',
    'bash test.sh',
    'bash -c "npm test; ./deploy.sh"',
    'npm audit fix && git push',
    'npm test "',
    'npm test; cat /proc/uptime',
    'npm test | head -c 8 /dev/urandom',
    'npm test; tail ~/log',
    'npm test; cat ../other/log',
    'npm test | grep -f/proc/uptime x',
    'npm test | grep --file=/proc/uptime x',
    'cd /proc && npm test; cat uptime',
    'cd / && npm test; cat proc/uptime',
    'cd ../../proc && npm test; cat uptime',
  ])('any other line is none: %s', (line) => {
    expect(isCheckLine(line)).toBe(false);
  });
});
