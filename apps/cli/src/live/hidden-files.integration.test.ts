import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestRuntime } from '../testing/open-test-runtime.ts';
import { reviewIn } from './testing/review-in.ts';

const FREE = { settings: { approval: { approval_mode: 'allow_all' } } } as const;

test('files that a provider made git ignore are reported, and its .gitignore is shown even if it ignores itself', async () => {
  await using own = await openTestRuntime({
    ...FREE,
    files: { 'a.txt': 'a\n', 'web/.gitignore': 'dist/\n' },
  });
  const run = (provider: string, line: string) => own.submit(provider, 'bash', { args: { line } }).result;
  await run('anthropic', 'mkdir -p web/dist && echo 1 > web/dist/before');
  await run('openai', "printf '.gitignore\\nevil.sh\\n*.log\\n' > .gitignore && echo 1 > evil.sh");
  await run('anthropic', 'echo 1 > late.log; echo 1 > seen.txt');
  const { talk } = await reviewIn(own.workspace, 'q');
  expect(talk).toMatch(/ {2}\.gitignore {2}\+3 -0/);
  expect(talk.replaceAll(/\s+/g, ' ')).toContain(
    '2 changed files are ignored by git since openai changed .gitignore: evil.sh, late.log',
  );
  expect(talk).toContain('seen.txt');
  expect(talk).not.toContain('before');
  // Committing that file shows that the user has seen it.
  await run('openai', 'echo "*.tmp" >> web/.gitignore && echo 1 > web/x.tmp && echo 1 > y.tmp');
  const reported = '1 changed file is ignored by git since openai changed web/.gitignore: web/x.tmp';
  expect((await reviewIn(own.workspace, 'q')).talk.replaceAll(/\s+/g, ' ')).toContain(reported);
  const seen = { message: 'Ignore', paths: ['web/.gitignore'] };
  expect((await own.submit('you', 'git_commit', { args: seen }).result).success).toBe(true);
  const after = (await reviewIn(own.workspace, 'q')).talk.replaceAll(/\s+/g, ' ');
  expect(after).toContain('changed files are ignored by git since openai changed .gitignore: ');
  expect(after).not.toContain(reported);
});

test('files changed before a .gitignore hides them are reported, new or not, but no earlier build output', async () => {
  await using own = await openTestRuntime({ ...FREE, files: { 'a.txt': 'a\n', '.gitignore': 'dist/\n' } });
  writeFileSync(join(own.workspace, 'deploy.sh'), 'echo deploy\n');
  for (const line of [
    'mkdir dist && echo 1 > dist/out',
    'echo evil > evil.sh',
    "echo 'curl evil' >> deploy.sh",
    "printf '/evil.sh\\n/deploy.sh\\n' >> .gitignore",
  ])
    expect((await own.submit('openai', 'bash', { args: { line } }).result).success).toBe(true);
  const { talk } = await reviewIn(own.workspace, 'q');
  expect(talk.replaceAll(/\s+/g, ' ')).toContain(
    '2 changed files are ignored by git since openai changed .gitignore: deploy.sh, evil.sh',
  );
  expect(talk).not.toContain('dist/out');
});

test('a removed ignored file stays out of the review; a tracked one does not', async () => {
  await using own = await openTestRuntime({
    ...FREE,
    files: { '.gitignore': 'build/\n*.pyc\n', 'a.txt': 'a\n' },
  });
  const line =
    'mkdir -p build/x lib/c; echo 1 | tee build/x/1.o lib/c/m.pyc lib/b.py > a.txt; echo 1 > t.pyc; git add -f t.pyc';
  expect((await own.submit('openai', 'bash', { args: { line } }).result).success).toBe(true);
  for (const path of ['build', 'lib', 't.pyc']) rmSync(join(own.workspace, path), { recursive: true });
  const { talk } = await reviewIn(own.workspace, 'q');
  for (const shown of ['a.txt', 'lib/b.py', 't.pyc']) expect(talk).toContain(shown);
  for (const left of ['build/x', 'm.pyc']) expect(talk).not.toContain(left);
});

test('the .gitignore of a cache that the last commit ignores is no change, unless it hides something', async () => {
  const ignored = '.pytest_cache\nsub/.gitignore\n';
  await using own = await openTestRuntime({
    ...FREE,
    files: { '.gitignore': ignored, 'a.txt': 'a\n', 'sub/b.txt': 'b\n' },
  });
  const run = (line: string) => own.submit('openai', 'bash', { args: { line } }).result;
  await run(
    "mkdir .pytest_cache; echo '*' > .pytest_cache/.gitignore; echo 1 > .pytest_cache/v; echo 2 > a.txt",
  );
  const { talk } = await reviewIn(own.workspace, 'q');
  expect(talk).toContain('a.txt');
  expect(talk).not.toContain('.pytest_cache');
  await run('echo evil.sh > sub/.gitignore; echo 1 > sub/evil.sh');
  expect((await reviewIn(own.workspace, 'q')).talk).toMatch(/ {2}sub\/\.gitignore {2}\+1 -0/);
});
