import { expect, test } from 'vitest';
import { lineQuestion, rule } from './testing/rule-questions.ts';

const RULES = [
  { id: 'no-write', deny: { program: 'prettier', args: ['--write'] } },
  { id: 'no-force', deny: { program: 'git', args: ['push', '-f'] } },
];

test.each([
  'prettier --write src',
  'prettier -w src',
  'pnpm exec prettier -w src',
  'pnpm prettier --write src',
  'yarn exec prettier -- --write src',
  'yarn prettier -w src',
  'npm exec -- prettier --write src',
  'npm exec prettier -- --write src',
  'bun x prettier -w src',
  'uv run prettier -w src',
  'uvx prettier -w src',
  'git push --force',
  'git push -uf origin main',
])('a deny rule matches the spelling %j (R-C4)', (line) => {
  expect(rule(RULES, lineQuestion(line))).toMatch(/^deny no-/);
});

test.each([
  'prettier --check src',
  'npm install prettier -w src',
  'git push -u origin main',
  'yarn install',
  'pnpm "$x"',
])('and not %j, which is another option', (line) => {
  expect(rule(RULES, lineQuestion(line))).not.toMatch(/^deny no-/);
});
