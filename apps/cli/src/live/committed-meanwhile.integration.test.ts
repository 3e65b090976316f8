import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestTerminal } from '../testing/test-context.ts';
import { openTestRuntime } from '../testing/open-test-runtime.ts';
import { reviewIn } from './testing/review-in.ts';

test('a file committed meanwhile, by hand or by an agreed git_commit, leaves the review, and the rest can be committed', async () => {
  const files = { 'gone.txt': 'gone\n', 'two.txt': 'old\n', 'by hand.txt': 'old\n' };
  await using own = await openTestRuntime({ settings: { approval: { approval_mode: 'allow_all' } }, files });
  const run = async (tool: string, args: Record<string, unknown>): Promise<void> => {
    expect((await own.submit('openai', tool, { args }).result).success).toBe(true);
  };
  const git = (...args: string[]) => execFileSync('git', args, { cwd: own.workspace });
  await run('bash', {
    line: 'echo 1 > agreed.txt; echo 1 > "by hand.txt"; rm gone.txt; echo 1 > two.txt; echo 1 > left.txt',
  });
  await run('git_add', { paths: ['agreed.txt'] });
  await run('git_commit', { message: 'Add agreed' });
  writeFileSync(join(own.workspace, 'left.txt'), 'half\n');
  git('add', '--all', 'by hand.txt', 'gone.txt', 'two.txt', 'left.txt');
  git('commit', '-q', '-m', 'By hand');
  writeFileSync(join(own.workspace, 'left.txt'), 'half and the rest\n');
  await run('bash', { line: 'echo 2 >> two.txt; echo 1 > never.txt' });
  await run('bash', { line: 'rm never.txt' });
  const { exit, talk } = await reviewIn(own.workspace, 'c', 'Add the rest', 'q');
  expect(talk).toMatch(/left\.txt {2}\+1 -0 {3}edited by hand since\n.*two\.txt {2}\+1 -0\n/);
  for (const path of ['agreed.txt', 'by hand.txt', 'gone.txt', 'never.txt']) expect(talk).not.toContain(path);
  expect([exit, talk]).toEqual([0, expect.stringMatching(/✓ committed 2 files/)]);
});

test('a call that changes the index, the attributes or the branch of git hides no change from the review', async () => {
  const files = {
    'flagged.sh': 'true\n',
    'ident.sh': 'echo "$Id$"\n',
    'soft.txt': 'old\n',
    '.gitattributes': '*.sh ident\n',
  };
  await using own = await openTestRuntime({ settings: { approval: { approval_mode: 'allow_all' } }, files });
  const run = async (tool: string, args: Record<string, unknown>): Promise<void> => {
    expect((await own.submit('openai', tool, { args }).result).success).toBe(true);
  };
  const git = (...args: string[]) => execFileSync('git', args, { cwd: own.workspace });
  await run('bash', {
    line: 'echo evil > flagged.sh; echo \'echo "$Id: evil $"\' > ident.sh; echo new > soft.txt',
  });
  git('update-index', '--assume-unchanged', 'flagged.sh');
  await run('git_add', { paths: ['soft.txt'] });
  await run('git_commit', { message: 'Change soft', paths: ['soft.txt'] });
  expect((await reviewIn(own.workspace, 'q')).talk).not.toContain('soft.txt');
  git('reset', '-q', '--soft', 'HEAD~1');
  const { talk } = await reviewIn(own.workspace, 'q');
  for (const path of ['flagged.sh', 'ident.sh', 'soft.txt']) expect(talk).toContain(path);
});

test('a change that an undo restored is in the review, even if a command had restored git’s version', async () => {
  const lines = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', ''].join(
    '\n',
  );
  await using own = await openTestRuntime({
    settings: { approval: { approval_mode: 'allow_all' } },
    files: { 'a.txt': lines },
  });
  const run = async (line: string) => own.submit('openai', 'bash', { args: { line } }).result;
  await run('sed -i s/one/ONE/ a.txt');
  const back = await run('sed -i s/ONE/one/ a.txt');
  expect((await reviewIn(own.workspace, 'q')).talk).toContain('No changes to review');
  expect((await createTestTerminal(own.workspace).signalbox('undo', back.commandId, '--force')).exit).toBe(0);
  await run('sed -i s/ten/TEN/ a.txt');
  expect((await reviewIn(own.workspace, 'q')).talk).toMatch(/a\.txt {2}\+2 -2/);
});
