import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { classifyLine } from './classify-line.ts';
import { hostileLine, SLOW_ONCE } from './testing/hostile-lines.ts';
import { judgeCorpus } from './testing/labelled-lines.ts';

const EVERYDAY = [
  'git status --short',
  "grep -rn 'TODO' src --include=*.ts",
  'cat package.json | jq .scripts',
  "find . -type f -name '*.ts' -not -path './node_modules/*' | xargs wc -l",
  'npm test -- --watch=false',
  'cd web && npm ls > deps.txt',
  'git add -A && git commit -m "fix: the cart" && git push',
  'for f in a b c; do echo "$f"; done',
] as const;

test('everyday lines', async ({ bench }) => {
  await bench('eight everyday lines', () => {
    for (const line of EVERYDAY) classifyLine(line, { cwd: '/repo' });
  }).run();
});

test('each labelled everyday line', async ({ bench }) => {
  const lines = judgeCorpus('labelled.jsonl')
    .filter(({ row }) => row.category.startsWith('everyday:'))
    .map(({ row }) => row.command);
  let at = 0;
  await bench('one everyday line after the other; p99 stays under 0.3 ms', () => {
    classifyLine(lines[at % lines.length] ?? '', { cwd: '/repo' });
    at += 1;
  }).run();
});

test('hostile lines of up to a megabyte', async ({ bench }) => {
  const lines = [...fc.sample(hostileLine, { numRuns: 2000, seed: 1 }), ...SLOW_ONCE];
  const times = lines.map((line) => leastTime(line)).toSorted((a, b) => a - b);
  const at = (share: number): string => (times[Math.ceil(times.length * share) - 1] ?? 0).toFixed(2);
  console.log(`${lines.length} hostile lines: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, p100 ${at(1)} ms`);
  expect(times.at(-1)).toBeLessThan(20);

  const megabyte = '$(ls) '.repeat(170_000);
  await bench('a megabyte of substitutions', () => classifyLine(megabyte, { cwd: '/repo' })).run();
  const longest = 'ls;'.repeat(5461);
  await bench('16 KiB of commands', () => classifyLine(longest, { cwd: '/repo' })).run();
});

/** The minimum of five tries: the time of the line itself, without other load on the machine. */
function leastTime(line: string): number {
  const times = Array.from({ length: 5 }, () => {
    const startedAt = performance.now();
    classifyLine(line, { cwd: '/repo' });
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}
