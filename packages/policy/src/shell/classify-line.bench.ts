import { test } from 'vitest';
import { classifyLine } from './classify-line.ts';
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

test('a megabyte', async ({ bench }) => {
  const line = '$(ls) '.repeat(170_000);
  await bench('a megabyte of substitutions; under 20 ms', () => classifyLine(line, { cwd: '/repo' })).run();
});

test('the worst a guard lets through', async ({ bench }) => {
  const substitutions = '$(ls)'.repeat(3200);
  await bench('3200 substitutions', () => classifyLine(substitutions, { cwd: '/repo' })).run();
  const longest = 'ls;'.repeat(5461);
  const words = `rm ${'a '.repeat(8000)}`;
  await bench('5461 commands', () => classifyLine(longest, { cwd: '/repo' })).run();
  await bench('8000 words', () => classifyLine(words, { cwd: '/repo' })).run();
});
