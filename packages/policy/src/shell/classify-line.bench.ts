import { test } from 'vitest';
import { classifyLine } from './classify-line.ts';

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

test('the worst a guard lets through', async ({ bench }) => {
  const longest = 'ls;'.repeat(5461);
  const words = `rm ${'a '.repeat(8000)}`;
  await bench('5461 commands', () => classifyLine(longest, { cwd: '/repo' })).run();
  await bench('8000 words', () => classifyLine(words, { cwd: '/repo' })).run();
});
