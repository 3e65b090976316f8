import { expect, test } from 'vitest';
import type { CommandView, WaitingApproval } from '../api/views.ts';
import { changeableText, changedArgs, deedOf, questionOf, subjectOf } from './question.ts';

function waiting(tool: string, args: Record<string, string | boolean>, before: string | null = null) {
  const command = { call: { callId: 'c', tool, args }, context: { provider: 'openai' } };
  return { command: command as unknown as CommandView, before } satisfies WaitingApproval;
}

test('a shell line, a new file, a file that is written and one that is edited each ask their own question', () => {
  const questions = [
    waiting('bash', { line: 'ls' }),
    waiting('write_file', { path: 'a.ts', content: 'x' }),
    waiting('write_file', { path: 'a.ts', content: 'x' }, 'y'),
    waiting('edit_file', { path: 'a.ts', oldText: 'x', newText: '$&' }, 'a x b x'),
    waiting('delete_file', { path: 'a.ts' }),
  ].map((asked) => questionOf(subjectOf(asked), asked.command));
  expect(questions).toEqual([
    'Let openai run this shell line?',
    'Let openai create a.ts?',
    'Let openai write a.ts?',
    'Let openai edit a.ts?',
    'Let openai call delete_file?',
  ]);
});

test('an edit is shown in the text that stands there, taken literally', () => {
  const edit = { path: 'a.ts', oldText: 'x', newText: '$&' };
  expect(subjectOf(waiting('edit_file', edit, 'a x b x'))).toMatchObject({ after: 'a $& b x' });
  expect(subjectOf(waiting('edit_file', { ...edit, replaceAll: true }, 'a x b x'))).toMatchObject({
    after: 'a $& b $&',
  });
});

test('a person changes a line or a whole text, and no edit', () => {
  const line = waiting('bash', { line: 'npm publish', cwd: '.' });
  const subject = subjectOf(line);
  expect(changeableText(subject)).toBe('npm publish');
  expect(changedArgs(subject, line.command.call.args, 'npm pack')).toEqual({ line: 'npm pack', cwd: '.' });
  expect(
    changeableText(subjectOf(waiting('edit_file', { path: 'a', oldText: 'x', newText: 'y' }, 'x'))),
  ).toBeNull();
});

test('the second press says what it does', () => {
  const deeds = ['npm publish --tag next', 'git push --force', 'rm -rf dist', 'make all'].map((line) =>
    deedOf({ kind: 'line', line }),
  );
  expect(deeds).toEqual(['publish', 'push', 'delete', 'run it']);
});
