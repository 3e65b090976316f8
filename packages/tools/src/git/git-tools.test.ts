import { expect, test } from 'vitest';
import { gitAdd } from './git-add.tool.ts';
import { gitCommit } from './git-commit.tool.ts';
import { gitDiff } from './git-diff.tool.ts';
import { gitLog } from './git-log.tool.ts';
import { gitStatus } from './git-status.tool.ts';
import { aFolder, type TestFolder } from '../testing/folder.ts';
import { call, failureOf, outputOf, recordingRun } from '../testing/tool-context.ts';

async function aRepository(
  files: Readonly<Record<string, string>> = { 'a.txt': 'one\n' },
): Promise<TestFolder> {
  const folder = await aFolder(files);
  await folder.run('git', 'init', '--quiet', '--initial-branch=main');
  await folder.run('git', 'config', 'user.name', 'Ana');
  await folder.run('git', 'config', 'user.email', 'ana@example.com');
  await folder.run('git', 'add', '--all');
  await folder.run('git', 'commit', '--quiet', '--message=First');
  return folder;
}

async function stdoutOf(answer: Promise<unknown>): Promise<string> {
  const output = await answer;
  if (typeof output === 'object' && output !== null && 'stdout' in output) return String(output.stdout);
  throw new Error('The tool answered no output of a program');
}

test('changes are listed, staged and committed, and the log shows them (S003-19)', async () => {
  await using folder = await aRepository();
  const { context } = folder;
  await folder.run('bash', '-c', 'echo two >> a.txt; echo new > ünïcode.txt');
  expect(await stdoutOf(outputOf(gitStatus, {}, context))).toBe('## main\n M a.txt\n?? ünïcode.txt\n');
  expect(await stdoutOf(outputOf(gitDiff, {}, context))).toContain('+two');

  await call(gitAdd, { paths: ['a.txt', 'ünïcode.txt'] }, context);
  expect(await stdoutOf(outputOf(gitDiff, { staged: true, stat: true }, context))).toContain(
    '2 files changed',
  );
  expect(await outputOf(gitCommit, { message: '-m "Second"\n\n# why not' }, context)).toMatchObject({
    exit_code: 0,
    truncated: false,
  });
  expect(await stdoutOf(outputOf(gitLog, { messages: true, maxCount: 1 }, context))).toMatch(
    /^[0-9a-f]{7} \d{4}-\d\d-\d\d Ana {2}-m "Second"\n\n# why not\n/,
  );
  expect(await stdoutOf(outputOf(gitLog, { revision: 'HEAD~1', paths: ['a.txt'] }, context))).toMatch(
    /Ana {2}First\n$/,
  );
});

test('a commit of paths has these files as they are, including new and deleted ones, and leaves other staged files', async () => {
  await using folder = await aRepository({ 'a.txt': 'one\n', 'b.txt': 'one\n', 'gone.txt': 'one\n' });
  const { context } = folder;
  await folder.run('bash', '-c', 'echo two | tee -a a.txt b.txt > new.txt; rm gone.txt; git add b.txt');
  const message = 'Change some';
  const answer = await outputOf(gitCommit, { message, paths: ['a.txt', 'new.txt', 'gone.txt'] }, context);
  expect(answer).toMatchObject({
    exit_code: 0,
    stdout: expect.stringContaining('3 files changed') as unknown,
  });
  expect(await stdoutOf(outputOf(gitStatus, {}, context))).toBe('## main\nM  b.txt\n');
  const missing = await failureOf(call(gitCommit, { message, paths: ['b.txt', 'nowhere.txt'] }, context));
  expect(missing.message).toContain('Cannot commit "nowhere.txt": there is no such file');
  expect(await stdoutOf(outputOf(gitLog, { maxCount: 1 }, context))).toContain(message);
});

test('a path is literal, never an option or a pattern', async () => {
  await using folder = await aRepository({ 'a.txt': '', '--force': '', ':(top)': '' });
  const { context } = folder;
  await folder.run('bash', '-c', 'for f in ./*; do echo x > "$f"; done');
  await call(gitAdd, { paths: ['--force', ':(top)'] }, context);
  expect(await stdoutOf(outputOf(gitStatus, {}, context))).toBe('## main\nM  --force\nM  :(top)\n M a.txt\n');
  const pattern = await failureOf(call(gitAdd, { paths: ['*.txt'] }, context));
  expect(pattern.message).toContain('Cannot stage "*.txt": there is no such file, and git tracks none');
});

test('a revision that looks like an option is rejected', () => {
  expect(gitDiff.args.safeParse({ revision: '--output=/tmp/x' }).success).toBe(false);
  expect(gitLog.args.safeParse({ revision: '--output=/tmp/x' }).success).toBe(false);
});

test('no hook runs, on a commit or as a file system monitor', async () => {
  await using folder = await aRepository();
  await folder.run(
    'bash',
    '-c',
    `printf '#!/bin/sh\\ntouch hooked\\nexit 1\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
     cp .git/hooks/pre-commit .git/hooks/post-commit; cp .git/hooks/pre-commit monitor
     git config core.fsmonitor "$PWD/monitor"; echo two >> a.txt`,
  );
  await call(gitStatus, {}, folder.context);
  await call(gitAdd, { paths: ['a.txt'] }, folder.context);
  expect(await outputOf(gitCommit, { message: 'Second' }, folder.context)).toMatchObject({ exit_code: 0 });
  expect(await folder.run('ls')).toBe('a.txt\nmonitor\n');
});

test('diffs never run a program of the workspace', async () => {
  await using folder = await aRepository({ 'a.txt': 'one\n', '.gitattributes': '*.txt diff=evil\n' });
  await folder.run(
    'bash',
    '-c',
    'git config diff.evil.textconv "touch ran; cat"; git config diff.external "touch ran; true"; echo two > a.txt',
  );
  expect(await stdoutOf(outputOf(gitDiff, {}, folder.context))).toContain('+two');
  expect(await folder.run('ls')).toBe('a.txt\n');
});

test('read-only tools mount the workspace read-only and leave the index alone', async () => {
  const { run, started } = recordingRun();
  await using folder = await aRepository();
  const context = { ...folder.context, run };
  await call(gitStatus, {}, context);
  await call(gitDiff, {}, context);
  await call(gitLog, {}, context);
  expect(started.map(({ options }) => options)).toEqual(
    ['status', 'diff', 'log'].map(() => ({ workspace: 'read' })),
  );

  const index = 'stat -c %Y.%i .git/index';
  const before = await folder.run('bash', '-c', `touch -d '1 hour ago' .git/index; touch a.txt; ${index}`);
  await call(gitStatus, {}, folder.context);
  expect(await folder.run('bash', '-c', index)).toBe(before);
});

test('adding and committing claim the index and the refs, like a shell line (J2)', () => {
  expect([gitAdd.policy, gitCommit.policy]).toEqual(['auto', 'auto']);
  expect(gitCommit.effects({ message: 'x' })).toEqual([
    { kind: 'resource', resource: 'git:index', access: 'write' },
    { kind: 'resource', resource: 'git:refs', access: 'write' },
  ]);
  expect(gitAdd.effects({ paths: ['src'] })).toEqual([
    { kind: 'read', path: 'src', scope: 'tree' },
    { kind: 'resource', resource: 'git:index', access: 'write' },
  ]);
});
