import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostGit } from '../../testing/host-git.ts';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const FREE = { approval: { approval_mode: 'allow_all' } } as const;

function personAt(workspace: string) {
  const asked: string[] = [];
  const { signalbox } = createTestTerminal(workspace, {
    onAsked: () => undefined,
    typed: (question) => {
      asked.push(question);
      return 'n';
    },
  });
  return { signalbox, asked };
}

test('an undo that would fail is refused before any prompt; of several, those affected are named', async () => {
  await using own = await openTestRuntime({ settings: FREE, files: { 'a.txt': 'one\n' } });
  const { signalbox, asked } = personAt(own.workspace);
  const first = await own.call('openai', 'bash', { line: 'echo x > a.txt' });
  const second = await own.call('openai', 'bash', { line: 'echo y > b.txt' });
  writeFileSync(join(own.workspace, 'a.txt'), 'by hand\n');
  const refused = await signalbox('undo', first.commandId);
  expect([refused.exit, asked, refused.talk]).toEqual([
    5,
    [],
    expect.stringMatching(/would fail: Cannot undo \w+: a\.txt was edited by hand(.|\n)*--force/),
  ]);
  const both = await signalbox('undo', first.commandId, second.commandId);
  expect([both.exit, asked.length, both.talk]).toEqual([
    0,
    1,
    expect.stringContaining('1 of 2 would be undone, newest first; not undone:'),
  ]);
});

test('a forced undo of a commit names the later commits that its branch loses', async () => {
  await using own = await openTestRuntime({ settings: FREE, files: { 'a.txt': 'one\n' } });
  const { signalbox, asked } = personAt(own.workspace);
  await own.call('openai', 'bash', { line: 'echo x > a.txt' });
  const done = await own.call('openai', 'bash', { line: 'git commit -q -a -m mine' });
  hostGit(own.workspace, 'commit', '-q', '--allow-empty', '-m', 'theirs one');
  hostGit(own.workspace, 'commit', '-q', '--allow-empty', '-m', 'theirs two');
  const { talk } = await signalbox('undo', '--force', done.commandId);
  expect(asked).toHaveLength(1);
  expect(talk).toMatch(
    / {2}main loses 2 later commits:\n {4}[0-9a-f]{7,} theirs two\n {4}[0-9a-f]{7,} theirs one\n/,
  );
  expect(hostGit(own.workspace, 'log', '-1', '--format=%s')).toContain('theirs two');
  const unforced = await signalbox('undo', done.commandId);
  expect([unforced.exit, unforced.talk]).toEqual([
    5,
    expect.stringMatching(/2 later commits on main:\n {4}[0-9a-f]{7,} theirs two\n/),
  ]);
});
