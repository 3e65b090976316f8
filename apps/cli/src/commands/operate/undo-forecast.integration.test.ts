import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostGit } from '../../testing/host-git.ts';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const FREE = { approval: { approval_mode: 'allow_all' } } as const;

test('undo --dry-run says where the undo would fail and why, as the undo itself does', async () => {
  await using own = await openTestRuntime({ settings: FREE });
  const { signalbox } = createTestTerminal(own.workspace);
  const first = await own.call('openai', 'bash', { line: 'echo 1 > a.txt; echo 1 > b.txt; echo 1 > c.txt' });
  await own.call('anthropic', 'bash', { line: 'echo 2 > c.txt' });
  const fine = await signalbox('undo', '--dry-run', '--last', '2');
  expect(fine).toMatchObject({ exit: 0, talk: expect.stringContaining('Would undo') });
  writeFileSync(join(own.workspace, 'b.txt'), 'by hand\n');
  const dry = await signalbox('undo', '--dry-run', first.commandId);
  expect(dry.exit).toBe(5);
  expect(dry.talk).toMatch(/· applied [\d:]+\n {2}a\.txt {2}\+0 -1\n/);
  expect(dry.talk).toMatch(
    /b\.txt {2}\+0 -1 {3}edited by hand since\n {2}c\.txt {2}\+0 -1 {3}changed since\n/,
  );
  const why = `Cannot undo ${first.commandId}: b.txt was edited by hand afterwards\n  b.txt was edited by hand afterwards\n  c.txt was changed afterwards\n`;
  expect(dry.talk).toContain(`would fail: ${why}`);
  const real = await signalbox('undo', first.commandId);
  expect(real).toMatchObject({ exit: 5, talk: expect.stringContaining(`failed: ${why}`) });
  const both = await signalbox('undo', '--dry-run', '--last', '2');
  expect(both.talk).toMatch(
    /b\.txt was edited by hand afterwards\n(.|\n)*1 of 2 would be undone, newest first; not undone: /,
  );
  const json = await signalbox('undo', '--dry-run', '--json', first.commandId);
  expect(JSON.parse(json.out)).toMatchObject({
    undone: [],
    refused: [{ command: first.commandId, why: 'b.txt was edited by hand afterwards' }],
  });
  expect((await signalbox('undo', '--dry-run', '--force', first.commandId)).exit).toBe(0);
  expect([own.read('a.txt'), own.read('b.txt'), own.read('c.txt')]).toEqual(['1\n', 'by hand\n', '2\n']);
});

test('undo --dry-run says whether a git commit blocks the undo', async () => {
  await using own = await openTestRuntime({ settings: FREE });
  const { signalbox } = createTestTerminal(own.workspace);
  const first = await own.call('openai', 'bash', {
    line: 'echo 1 > a.txt; git add -A && git commit -qm wip',
  });
  expect(first.exitCode).toBe(0);
  // As any read by git may: the undo keeps the index.
  await own.call('openai', 'bash', { line: 'touch .git/index' });
  expect((await signalbox('undo', '--dry-run', first.commandId)).exit).toBe(0);
  const second = await own.call('anthropic', 'bash', {
    line: 'echo 2 > b.txt; git add -A && git commit -qm on',
  });
  expect(second.exitCode).toBe(0);
  const dry = await signalbox('undo', '--dry-run', first.commandId);
  const why = `Cannot undo ${first.commandId}: .git/COMMIT_EDITMSG was changed afterwards\n`;
  expect(dry).toMatchObject({ exit: 5, talk: expect.stringContaining(`would fail: ${why}`) });
  const real = await signalbox('undo', first.commandId);
  expect(real).toMatchObject({ exit: 5, talk: expect.stringContaining(`failed: ${why}`) });
  expect((await signalbox('undo', '--dry-run', '--last', '3')).exit).toBe(0);
});

test('undo of a commit names the commit, its branch and the files that are uncommitted again, with --dry-run too', async () => {
  await using own = await openTestRuntime({ settings: FREE, files: { 'a.txt': 'one\n' } });
  const { signalbox } = createTestTerminal(own.workspace);
  await own.call('openai', 'bash', { line: 'echo two > a.txt; echo 1 > b.txt' });
  const done = await own.call('openai', 'bash', {
    line: 'echo 1 > c.txt; git add -A && git commit -qm work',
  });
  const reported =
    /\n {2}takes 1 commit off main:\n {4}[0-9a-f]{7,} work\n {2}uncommitted again: a\.txt, b\.txt\n/;
  expect((await signalbox('undo', '--dry-run', done.commandId)).talk).toMatch(reported);
  const amended = await own.call('openai', 'bash', { line: 'git commit -q --amend -m better' });
  expect((await signalbox('undo', '--dry-run', amended.commandId)).talk).toMatch(
    / takes 1 commit off main:\n.* better\n {2}puts 1 commit back on main:\n.* work\n(?! {2}uncommitted)/,
  );
  const aside = await own.call('openai', 'bash', { line: 'git branch aside' });
  expect((await signalbox('undo', '--dry-run', aside.commandId)).talk).not.toContain('uncommitted again');
  for (const { commandId } of [aside, amended]) expect((await signalbox('undo', commandId)).exit).toBe(0);
  const real = await signalbox('undo', done.commandId);
  expect(real).toMatchObject({ exit: 0, talk: expect.stringMatching(reported) as unknown });
  const after = hostGit(own.workspace, 'status', '--short', '--', '*.txt');
  expect(after).toBe(' M a.txt\n?? b.txt\n');
  // The very first commit.
  hostGit(own.workspace, 'update-ref', '-d', 'HEAD');
  const first = await own.call('openai', 'bash', { line: 'git add a.txt && git commit -qm first' });
  expect((await signalbox('undo', '--dry-run', first.commandId)).talk).toMatch(
    /\n {2}takes 1 commit off main:\n {4}[0-9a-f]{7,} first\n {2}uncommitted again: .*a\.txt/,
  );
});

test('after a partial undo, diff and undo say so, and the rest can be undone', async () => {
  const rows = 'r\n'.repeat(30);
  await using own = await openTestRuntime({ settings: FREE, files: { 'h.txt': rows } });
  const typed = ['u 1 3.1', 'q'];
  const { signalbox } = createTestTerminal(own.workspace, {
    onAsked: () => undefined,
    typed: (question) => (question.startsWith('Undo ') ? 'y' : (typed.shift() ?? null)),
  });
  const edits = "sed -i -e '3s/.*/x/' -e '25s/.*/y/' h.txt";
  const done = await own.call('openai', 'bash', { line: `echo 1 > a.txt; echo 1 > b.txt; ${edits}` });
  expect((await signalbox('review')).exit).toBe(0);
  const { out } = await signalbox('diff', done.commandId);
  expect(out).toMatch(/b\/a\.txt\n@@ -0,0 \+1,1 @@\n\+1\nundone since\n--- /);
  expect(out).toMatch(/\+y\n(.|\n)*partly undone since\n/);
  expect(out).not.toContain('\nchanged since');
  expect(out).toMatch(/^undo: signalbox undo /m);
  const dry = await signalbox('undo', '--dry-run', done.commandId);
  expect(dry.talk).not.toMatch(/^ {2}a\.txt/m);
  expect(dry.talk).toMatch(/h\.txt .*partly undone since(.|\n)*h\.txt was partly undone afterwards/);
  expect((await signalbox('undo', '--force', done.commandId)).exit).toBe(0);
  expect(() => own.read('b.txt')).toThrow('ENOENT');
  expect(own.read('h.txt')).toBe(rows);
  const again = await signalbox('undo', done.commandId);
  expect(again).toMatchObject({ exit: 2, talk: expect.stringContaining('it is already undone') });
  expect((await signalbox('diff', done.commandId)).out).not.toContain('undo: signalbox undo');
});

test('diff --stat marks edits by hand, and does not show a failed commit as a change', async () => {
  await using own = await openTestRuntime({ settings: FREE });
  const { signalbox } = createTestTerminal(own.workspace);
  const made = own.submit('openai', 'bash', { args: { line: 'echo 1 > a.txt; echo 1 > b.txt' } });
  await made.result;
  const failed = await own.call('openai', 'bash', { line: 'git add a.txt; git commit -q -m x nothere' });
  expect(failed.exitCode).toBe(1);
  writeFileSync(join(own.workspace, 'b.txt'), 'by hand\n');
  const { out } = await signalbox('diff', '--by', 'provider', '--stat');
  rmSync(join(own.workspace, 'b.txt'));
  expect((await signalbox('diff', '--stat')).out).toMatch(/ b\.txt .*\) {3}deleted by hand since\n/);
  for (const argv of [['--dry-run'], []])
    expect((await signalbox('undo', made.record.id, ...argv)).talk).toContain(
      ': b.txt was deleted by hand afterwards',
    );
  expect(out).toMatch(/ a\.txt .*\)\n b\.txt .*\) {3}edited by hand since\n/);
  expect((await signalbox('diff')).out).not.toContain('nothere');
  expect((await signalbox('diff', failed.commandId)).out).toContain('nothere');
});
