import { expect, test } from 'vitest';
import type { CommandView, WaitingApproval } from '../api/views.ts';
import { changeableText, changedArgs, deedOf, subjectOf, titleOf } from './question.ts';

function waiting(tool: string, args: Record<string, string | boolean>) {
  const command = { call: { callId: 'c', tool, args }, context: { provider: 'openai' } };
  return { command: command as unknown as CommandView } satisfies WaitingApproval;
}

test('until it is known what a call would do, its title says what kind it is', () => {
  const titles = [
    waiting('bash', { line: 'ls' }),
    waiting('write_file', { path: 'a.ts', content: 'x' }),
    waiting('edit_file', { path: 'a.ts', oldText: 'x', newText: '$&' }),
    waiting('delete_file', { path: 'a.ts' }),
  ].map((asked) => titleOf(subjectOf(asked), asked.command));
  expect(titles).toEqual(['Run a shell line', 'Write a.ts', 'Edit a.ts', 'Call delete_file']);
});

test('a person changes a line or a whole text, and no edit', () => {
  const line = waiting('bash', { line: 'npm publish', cwd: '.' });
  const subject = subjectOf(line);
  expect(changeableText(subject)).toBe('npm publish');
  expect(changedArgs(subject, line.command.call.args, 'npm pack')).toEqual({ line: 'npm pack', cwd: '.' });
  expect(
    changeableText(subjectOf(waiting('edit_file', { path: 'a', oldText: 'x', newText: 'y' }))),
  ).toBeNull();
});

test('the second press says what it does', () => {
  const deeds = ['npm publish --tag next', 'git push --force', 'rm -rf dist', 'make all'].map((line) =>
    deedOf({ kind: 'line', line }),
  );
  expect(deeds).toEqual(['publish', 'push', 'delete', 'run it']);
});
