import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scriptOf, workspaceFor, write } from '../../testing/scripted-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

test('run without a task prompts for it on a terminal, and fails elsewhere or on empty input', async () => {
  const workspace = await workspaceFor(scriptOf('openai', [write('a.txt')]));
  const nowhere = await createTestTerminal(workspace).signalbox('run', '--until', 'true');
  expect(nowhere).toMatchObject({ exit: 2, talk: expect.stringContaining('it has no task') });
  const asked: string[] = [];
  const at = (typed: string) =>
    createTestTerminal(workspace, {
      onAsked: () => undefined,
      typed(question) {
        asked.push(question);
        return question === 'Task: ' ? typed : null;
      },
    });
  expect(await at(' ').signalbox('run', '--until', 'true')).toMatchObject({ exit: 2 });
  expect(await at('Finish').signalbox('run', '--until', 'true')).toMatchObject({ exit: 0 });
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('done\n');
  expect(asked.filter((question) => question === 'Task: ')).toHaveLength(2);
});
