import { expect, test } from 'vitest';
import { hostGit } from '../../testing/host-git.ts';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const FREE = { approval: { approval_mode: 'allow_all' } } as const;

test('undo removes no git object, since later commits and branches of the user may need it', async () => {
  await using own = await openTestRuntime({ settings: FREE, files: { 'a.txt': 'one\ntwo\n' } });
  const { signalbox } = createTestTerminal(own.workspace);
  const git = (...args: readonly string[]) => hostGit(own.workspace, ...args);
  const added = await own.call('openai', 'bash', { line: 'echo one > b.txt; git add b.txt' });
  git('commit', '-qm', 'by hand');
  expect(await signalbox('undo', added.commandId)).toMatchObject({ exit: 0 });
  expect(() => own.read('b.txt')).toThrow('ENOENT');
  expect(git('show', 'HEAD:b.txt')).toBe('one\n');
  git('checkout', '-q', 'b.txt');
  const committed = await own.call('openai', 'bash', { line: 'echo two > b.txt; git commit -qam theirs' });
  git('branch', 'kept');
  git('repack', '-adq');
  const undone = await signalbox('undo', committed.commandId);
  expect(undone).toMatchObject({ exit: 0 });
  expect([git('show', 'HEAD:b.txt'), git('show', 'kept:b.txt'), own.read('b.txt')]).toEqual([
    'one\n',
    'two\n',
    'one\n',
  ]);
});
