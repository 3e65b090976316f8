import { expect, test } from 'vitest';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { reviewIn } from './testing/review-in.ts';

const FREE = { settings: { approval: { approval_mode: 'allow_all' } } } as const;

test('files that a provider had git leave out are told of, and its .gitignore is shown even where it hides itself', async () => {
  await using own = await openTestRuntime({
    ...FREE,
    files: { 'a.txt': 'a\n', 'web/.gitignore': 'dist/\n' },
  });
  const run = (provider: string, line: string) => own.submit(provider, 'bash', { line }).result;
  await run('anthropic', 'mkdir -p web/dist && echo 1 > web/dist/before');
  await run('openai', "printf '.gitignore\\nevil.sh\\n*.log\\n' > .gitignore && echo 1 > evil.sh");
  await run('anthropic', 'echo 1 > late.log; echo 1 > seen.txt');
  const { talk } = await reviewIn(own.workspace, 'q');
  expect(talk).toMatch(/ {2}\.gitignore {2}\+3 -0/);
  expect(talk.replaceAll(/\s+/g, ' ')).toContain(
    '2 new files are ignored by git since openai changed .gitignore: evil.sh, late.log',
  );
  expect(talk).toContain('seen.txt');
  expect(talk).not.toContain('before');
  // Where a person commits that file, they have seen it.
  await run('openai', 'echo "*.tmp" >> web/.gitignore && echo 1 > web/x.tmp && echo 1 > y.tmp');
  const told = '1 new file is ignored by git since openai changed web/.gitignore: web/x.tmp';
  expect((await reviewIn(own.workspace, 'q')).talk.replaceAll(/\s+/g, ' ')).toContain(told);
  const seen = { message: 'Ignore', paths: ['web/.gitignore'] };
  expect((await own.submit('you', 'git_commit', seen).result).success).toBe(true);
  const after = (await reviewIn(own.workspace, 'q')).talk.replaceAll(/\s+/g, ' ');
  expect(after).toContain('new files are ignored by git since openai changed .gitignore: ');
  expect(after).not.toContain(told);
});
