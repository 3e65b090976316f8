import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aCommandId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { openTestRuntime } from '../testing/open-test-runtime.ts';
import { scriptOf, workspaceFor, write } from '../testing/scripted-workspace.ts';
import { createTestTerminal } from '../testing/test-context.ts';
import { readAnswer } from './review-answer.ts';
import { reviewIn } from './testing/review-in.ts';

const FREE = { settings: { approval: { approval_mode: 'allow_all' } } } as const;

test('files of two providers are listed, shown, and undone one by one or by provider (U-M3)', async () => {
  await using own = await openTestRuntime({ ...FREE, files: { 'a.txt': 'old\n' } });
  const at = (path: string): string => join(own.workspace, path);
  const run = async (provider: string, line: string): Promise<void> => {
    expect((await own.call(provider, 'bash', { line })).success).toBe(true);
  };
  await run('openai', 'echo one > a.txt; echo one > b.txt; echo one > c.txt');
  await run('anthropic', 'echo two > d.txt; echo two >> b.txt');
  const typed = ['1', 'u 1', 'u 9', 'u anthropic', 'u openai', 'q'];
  const { exit, talk } = await reviewIn(own.workspace, ...typed);
  expect(exit).toBe(0);
  expect(talk).toContain('4 files changed by 2 providers');
  expect(talk).toMatch(/b\.txt {2}\+1 -0 {3}also changed by anthropic {3}changed since/);
  expect(talk).toMatch(/-old\n\+one/);
  expect(talk).toContain('no file, hunk or provider 9');
  expect(talk).toContain('No changes to review');
  expect(readFileSync(at('a.txt'), 'utf8')).toBe('old\n');
  for (const path of ['b.txt', 'c.txt', 'd.txt']) expect(existsSync(at(path))).toBe(false);
});

const git = (workspace: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: workspace, encoding: 'utf8' });

test('c commits the kept files as one command of yours, and they leave the review; marks outlive the terminal', async () => {
  const files = { '.gitignore': 'cache/\n*.log\n.signalbox/\n', 'old.txt': 'old\n', 'mine.txt': 'old\n' };
  await using own = await openTestRuntime({ files });
  const line = 'mkdir -p cache && echo 1 > cache/x && echo 1 > "a b.txt" && echo 1 > run.log && rm old.txt';
  expect((await own.call('openai', 'bash', { line })).success).toBe(true);
  expect((await own.call('anthropic', 'bash', { line: 'echo 2 > other.txt' })).success).toBe(true);
  writeFileSync(join(own.workspace, 'mine.txt'), 'staged by hand\n');
  git(own.workspace, 'add', 'mine.txt');
  expect((await reviewIn(own.workspace, 'k openai', 'q')).talk).toContain('✓ kept');
  const { exit, talk } = await reviewIn(own.workspace, 'c', 'Add a b', 'q');
  expect(talk).toMatch(/✓ committed 2 files as [0-9a-f]{7} by \w+/);
  expect(talk).toMatch(/1 file changed by 1 provider(.|\n)*other\.txt/);
  expect(exit).toBe(0);
  const [head = ''] = /[0-9a-f]{7}(?= by)/.exec(talk) ?? [];
  expect(git(own.workspace, 'show', '--format=%h %s', '--name-status', 'HEAD')).toBe(
    `${head} Add a b\n\nA\ta b.txt\nD\told.txt\n`,
  );
  expect(git(own.workspace, 'diff', '--cached', '--name-only')).toBe('mine.txt\n');
  const commits = own.auditLines().filter(({ tool }) => tool === 'git_commit');
  expect(commits).toMatchObject([{ provider: 'you', result: 'completed' }]);
});

test('the proposed commit message counts the committed files, for some files and for all', async () => {
  await using own = await openTestRuntime(FREE);
  const line = 'for name in a b c d; do echo 1 > $name.txt; done';
  expect((await own.call('openai', 'bash', { line })).success).toBe(true);
  const { talk } = await reviewIn(own.workspace, 'k 1', 'k 2', 'c', '', 'k 1', 'c', '', 'q');
  expect(talk).toMatch(/committed 2 files as (.|\n)*committed 1 file as /);
  await own.call('openai', 'bash', { line: 'echo 1 > e.txt' });
  await reviewIn(own.workspace, 'c', '', 'q');
  expect(git(own.workspace, 'log', '-3', '--format=%s')).toBe(
    'Change 2 files\nChange c.txt\nChange 2 files\n',
  );
});

test('c commits nothing if the review has changed since it was shown, and shows it again', async () => {
  await using own = await openTestRuntime(FREE);
  expect((await own.call('openai', 'bash', { line: 'echo 1 > a.txt' })).success).toBe(true);
  const before = git(own.workspace, 'rev-parse', 'HEAD');
  const typed = ['c', 'Add a', 'c', 'Add both', 'q'];
  const { talk } = await createTestTerminal(own.workspace, {
    onAsked: () => undefined,
    async typed() {
      if (typed.length === 4) await own.call('openai', 'bash', { line: 'echo 2 > b.txt' });
      return typed.shift() ?? null;
    },
  }).signalbox('review');
  expect(talk).toMatch(
    /not committed: the review has changed since it was shown\n(.|\n)*b\.txt(.|\n)*committed 2 files/,
  );
  expect(git(own.workspace, 'log', '--format=%s', `${before.trim()}..`)).toBe('Add both\n');
});

test('a commit that git rejects shows the reason; q at the message goes back', async () => {
  await using own = await openTestRuntime(FREE);
  expect((await own.call('openai', 'bash', { line: 'echo 1 > a.txt' })).success).toBe(true);
  rmSync(join(own.workspace, 'a.txt'));
  const before = git(own.workspace, 'rev-parse', 'HEAD');
  const { exit, talk } = await reviewIn(own.workspace, 'c', 'q', 'c', '', 'q');
  expect([exit, talk]).toEqual([
    5,
    expect.stringMatching(/not committed by \w+\n *Cannot commit "a\.txt": there is no such file/),
  ]);
  expect(git(own.workspace, 'rev-parse', 'HEAD')).toBe(before);
});

test('a provider’s file edited by the user since is marked, not undone as a whole, and can be kept', async () => {
  await using own = await openTestRuntime({
    ...FREE,
    files: { 'a.txt': 'old\n1\n2\n3\n4\n5\n6\n7\n8\n9\nend\n' },
  });
  const at = (path: string): string => join(own.workspace, path);
  const line = 'sed -i "s/old/new/;s/end/END/" a.txt; echo made > b.txt; echo gone > c.txt';
  expect((await own.call('openai', 'bash', { line })).success).toBe(true);
  // As editors save: one in place, one as a new file, one removed.
  writeFileSync(at('a.txt'), readFileSync(at('a.txt'), 'utf8').replace('END', 'mine'));
  writeFileSync(at('b.new'), 'mine\n');
  renameSync(at('b.new'), at('b.txt'));
  rmSync(at('c.txt'));
  const { talk, exit } = await reviewIn(own.workspace, '1', 'u 1', 'k 1', 'q');
  for (const row of ['a\\.txt {2}\\+2 -2', 'b\\.txt {2}\\+1 -0'])
    expect(talk).toMatch(new RegExp(`${row}.*   edited by hand since`));
  expect(talk).toMatch(/c\.txt {2}\+1 -0.* {3}deleted by hand since/);
  expect(talk).toMatch(/-old\n\+new(.|\n)*-end\n\+END/);
  expect([exit, talk]).toEqual([5, expect.stringContaining('a.txt was edited by hand afterwards')]);
  expect(talk).toMatch(/a\.txt.*edited by hand since {3}✓ kept/);
  expect(readFileSync(at('a.txt'), 'utf8')).toMatch(/^new\n[^]*\nmine\n$/);

  const diff = await createTestTerminal(own.workspace).signalbox('diff');
  expect(diff.out).toMatch(/\+END\nedited by hand since\n(.|\n)*\+made\nedited by hand since\n/);
  // Changes the user did not touch can still be undone.
  expect((await reviewIn(own.workspace, 'u 1.1', 'q')).exit).toBe(0);
  expect(readFileSync(at('a.txt'), 'utf8')).toMatch(/^old\n[^]*\nmine\n$/);
});

test('a file that changed since is not undone, and says so', async () => {
  await using own = await openTestRuntime({ ...FREE, files: { 'a.txt': 'old\n' } });
  await own.call('openai', 'bash', { line: 'echo one > a.txt' });
  writeFileSync(join(own.workspace, 'a.txt'), 'mine\n');
  const { exit, talk } = await reviewIn(own.workspace, 'u 1', 'q');
  expect([exit, talk]).toEqual([5, expect.stringContaining('a.txt was edited by hand afterwards')]);
  expect(readFileSync(join(own.workspace, 'a.txt'), 'utf8')).toBe('mine\n');
});

test('without a terminal the list is printed, as data with --json, and nothing is undone', async () => {
  await using own = await openTestRuntime(FREE);
  execFileSync('git', ['init', '-q', own.workspace]);
  const { signalbox } = createTestTerminal(own.workspace);
  expect((await signalbox('review')).out).toContain('No changes to review');
  await own.submit('openai', 'bash', { args: { line: 'echo one > a.txt' }, context: { task: 'Add a' } })
    .result;
  expect((await signalbox('review')).out).toMatch(/openai\n +1 {2}a\.txt {2}\+1 -0/);
  const { out } = await signalbox('review', '--json');
  expect(JSON.parse(out)).toMatchObject({
    providers: [
      {
        provider: 'openai',
        files: [{ path: 'a.txt', isCurrent: true, changes: [{ patch: expect.any(String) as unknown }] }],
      },
    ],
  });
});

test.each([
  { typed: ['u', 'y'], stays: false, reported: /✓ a\.txt undone by/ },
  { typed: ['u', ''], stays: true, reported: /r review/ },
  { typed: ['r', 'u 1'], stays: false, reported: /No changes to review/ },
  { typed: ['c', 'Finish it'], stays: true, reported: /✓ committed 1 file as [0-9a-f]{7}/ },
  {
    typed: ['', 'cc', 'C', 'Finish it'],
    stays: true,
    reported: /enter r, c, u or q[^]*✓ committed 1 file as/,
  },
  { typed: ['q'], stays: true, reported: /All changes stay\..*signalbox review/ },
])('the last prompt of a run accepts $typed (U-M3)', async ({ typed, stays, reported }) => {
  const workspace = await workspaceFor(scriptOf('openai', [write('a.txt')]));
  const left = [...typed];
  const asked: string[] = [];
  const { exit, talk } = await createTestTerminal(workspace, {
    onAsked: () => undefined,
    typed(question) {
      asked.push(question);
      return left.shift() ?? null;
    },
  }).signalbox('run', 'Finish', '--until', 'true');
  expect(exit).toBe(0);
  expect(asked[0]).toContain('r review · c commit · u undo all · q leave as is');
  expect(`${asked.join('\n')}\n${talk}`).toMatch(reported);
  expect([left, existsSync(join(workspace, 'a.txt'))]).toEqual([[], stays]);
});

test('hunks of a file are kept and undone one by one, and the rest of the file as a whole (U-M3)', async () => {
  const rows = (change: (at: number) => string): string =>
    Array.from({ length: 40 }, (_, at) => `${change(at)}\n`).join('');
  const old = rows((at) => `row ${at}`);
  await using own = await openTestRuntime({ ...FREE, files: { 'a.txt': old } });
  const a = join(own.workspace, 'a.txt');
  const edits = "sed -i -e '3s/.*/first/' -e '20s/.*/second/' -e '38s/.*/third/' a.txt";
  expect((await own.call('openai', 'bash', { line: edits })).success).toBe(true);
  const review = async (...answers: string[]): Promise<string> =>
    (await reviewIn(own.workspace, ...answers)).talk;
  const shown = await review('k 1.1', '1', 'u 1.2', 'u 1.9', 'q');
  expect(shown).toContain('a.txt  +3 -3   3 hunks');
  expect(shown).toMatch(/1\.1 @@ -1,6 \+1,6 @@ {3}✓ kept/);
  expect(shown).toContain('✓ a.txt, @@ -17,7 +17,7 @@ undone by');
  expect(shown).toContain('no file, hunk or provider 1.9');
  expect(readFileSync(a, 'utf8')).toBe(old.replace('row 2\n', 'first\n').replace('row 37\n', 'third\n'));
  // An edit elsewhere in the file does not block undoing the other hunks.
  writeFileSync(a, `by hand\n${readFileSync(a, 'utf8')}`);
  const rest = await review('u 1', 'q');
  expect(rest).toContain('a.txt  +2 -2   2 hunks   changed since');
  expect(readFileSync(a, 'utf8')).toBe(`by hand\n${old}`);
  expect(await review('q')).toContain('No changes to review');
});

test('a hunk whose lines changed since is not undone, and says so', async () => {
  await using own = await openTestRuntime({ ...FREE, files: { 'a.txt': 'a\n'.repeat(30) } });
  await own.call('openai', 'bash', { line: "sed -i -e '3s/.*/x/' -e '25s/.*/y/' a.txt" });
  await own.call('anthropic', 'bash', { line: "sed -i '25s/.*/mine/' a.txt" });
  const a = join(own.workspace, 'a.txt');
  const mine = readFileSync(a, 'utf8');
  expect(mine).toContain('mine');
  const { exit, talk } = await reviewIn(own.workspace, 'u 1.2', 'q');
  expect([exit, talk]).toEqual([
    5,
    expect.stringContaining('Cannot undo: these lines of a.txt have changed since'),
  ]);
  expect(readFileSync(a, 'utf8')).toBe(mine);
});

test('input is parsed as a number, an undo, a commit, or leaving', () => {
  const file = {
    path: 'a',
    added: 1,
    removed: 0,
    alsoChangedBy: [],
    isCurrent: true,
    isByHand: false,
    changes: [],
  };
  const hunk = { label: '2.1', file: 2, command: aCommandId('c1'), path: 'a', head: '@@ -1 +1 @@' };
  const files = [
    { number: 1, provider: 'openai', file, hunks: [] },
    { number: 2, provider: 'anthropic', file, hunks: [hunk] },
  ];
  const [one, two] = files;
  expect(readAnswer(' 2 ', files)).toEqual({ kind: 'show', file: two });
  expect(readAnswer('u 1 openai', files)).toEqual({ kind: 'undo', chosen: { files: [one], hunks: [] } });
  expect(readAnswer('k 2.1', files)).toEqual({ kind: 'keep', chosen: { files: [], hunks: [hunk] } });
  // Undoing a whole file includes its hunks.
  expect(readAnswer('u 2.1 2', files)).toEqual({ kind: 'undo', chosen: { files: [two], hunks: [] } });
  expect(readAnswer('u', files)).toMatchObject({ kind: 'unclear' });
  expect(readAnswer('7', files)).toMatchObject({ kind: 'unclear' });
  for (const leave of ['', 'q']) expect(readAnswer(leave, files)).toEqual({ kind: 'leave' });
});
