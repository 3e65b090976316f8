import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scriptOf, workspaceFor, write } from '../../testing/scripted-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';
import { watchTyping } from './testing/watch-terminal.ts';

test('n starts a session with the typed task, r reviews its changes, and watch continues', async () => {
  const workspace = await workspaceFor(scriptOf('openai', [write('a.txt')]));
  expect((await createTestTerminal(workspace).signalbox('exec', '--', 'true')).exit).toBe(0);
  const asked: string[] = [];
  const { exit, talk } = await watchTyping(workspace, {
    onScreen(screen, press) {
      if (asked.length > 1) press('q');
      else if (screen.includes('openai      finished') || screen.includes('run ended')) press('r');
      else if (screen.includes('PROVIDER=TASK')) press(screen.includes('Finish') ? 'enter' : 'openai=Finish');
      else if (screen.includes('  n new  ') && !screen.includes('openai')) press('n');
    },
    typed(question) {
      asked.push(question);
      return question.startsWith('Review') ? 'q' : '';
    },
  });
  expect(exit).toBe(0);
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('done\n');
  expect(asked).toEqual([expect.stringMatching(/^Review \[/), 'Enter goes back to watch: ']);
  expect(talk).toContain('a.txt');
  // The alternate screen is left for the review, and entered again after it.
  expect(talk.split('\x1b[?1049h')).toHaveLength(3);
});

test('a task for a provider without a key starts nothing, and says why on the screen', async () => {
  const workspace = await workspaceFor(scriptOf('openai', [write('a.txt')]));
  expect((await createTestTerminal(workspace).signalbox('exec', '--', 'true')).exit).toBe(0);
  let seen = '';
  await watchTyping(workspace, {
    onScreen(screen, press) {
      if (screen.includes('ANTHROPIC_API_KEY') || screen.includes('no API key')) {
        seen = screen;
        press('q');
      } else if (screen.includes('PROVIDER=TASK'))
        press(screen.includes('Finish') ? 'enter' : 'anthropic=Finish');
      else if (screen.includes('  n new  ')) press('n');
    },
    typed: () => null,
  });
  expect(seen).toContain('Cannot start provider "anthropic": it has no API key');
  expect(seen).toContain('next: export ');
});
