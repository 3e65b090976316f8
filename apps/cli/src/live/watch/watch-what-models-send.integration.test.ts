import { expect, test } from 'vitest';
import { openTestServer } from '../../testing/open-test-server.ts';
import { createTestTerminal } from '../../testing/test-context.ts';
import { watchAt } from './testing/watch-terminal.ts';

test('an approval of 16,384 hostile letters leaves the keys responsive (U-B5)', async () => {
  await using own = await openTestServer({ settings: { approval: { prompt_on_warning: true } } });
  // One endless word, then one that mixes scripts: these once took minutes per event.
  const letters = 'x'.repeat(8185) + ' ' + 'x\u0430'.repeat(4096);
  const asked = own.of.submit('openai', 'bash', { args: { line: `touch ${letters}` } });
  await asked.resting;
  const seen: string[] = [];
  const { exit } = await watchAt(own.of.workspace, (screen, press) => {
    if (screen.includes('jk lane') && seen.length === 0) {
      seen.push('help');
      press('escape');
    } else if (seen.includes('help') && screen.includes('shows it in full')) press('q');
    else if (screen.includes('shows it in full')) press('?');
  });
  expect(exit).toBe(0);
  expect(seen).toEqual(['help']);
});

test('an opened waiting command shows its blockers and what it would change, without JSON (U-M8)', async () => {
  await using own = await openTestServer({
    settings: { agents: { tool_execution: { require_approval_tools: [] } } },
  });
  const runs = own.of.submit('openai', 'bash', { args: { line: 'touch a.txt; sleep 60' } });
  await own.of.event('command_started', ({ commandId }) => commandId === runs.commandId);
  const waits = own.of.submit('anthropic', 'write_file', { args: { path: 'a.txt', content: 'one\ntwo\n' } });
  await own.of.event('command_queued', ({ commandId }) => commandId === waits.commandId);
  let opened = '';
  await watchAt(own.of.workspace, (screen, press) => {
    if (screen.includes('Waits ')) {
      opened = screen;
      press('escape');
      press('q');
    } else if (/▸⏳ anthropic/.test(screen)) press('enter');
    else if (screen.includes('▸')) press('j');
  });
  expect(opened).toMatch(/Waits +for openai \w{4} bash touch a\.txt; sleep 60, 0:\d/);
  expect(opened).toMatch(/Call +write_file a\.txt/);
  expect(opened).toContain('+two');
  expect(opened).not.toContain('"content"');
  const status = await createTestTerminal(own.of.workspace).signalbox('status', waits.commandId);
  expect(status.out).toMatch(/Waits +for openai \w+ bash touch a\.txt; sleep 60/);
  await own.of.runtime.coordinator.cancel(runs.commandId, { by: 'ana' });
});
