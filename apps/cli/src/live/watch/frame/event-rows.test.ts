import { expect, test } from 'vitest';
import { RENDER, screenText } from '../../../testing/screen-text.ts';
import { eventRows } from './event-rows.ts';
import { anEvent, ofCommand, storyState } from '../testing/watch-story.ts';

const READ = { tool: 'read_file', durationMs: 1, latencyMs: 1, exitCode: null };

function done(label: string, title = 'read_file src/cart.ts') {
  return anEvent(0, {
    type: 'command_completed',
    ...ofCommand(label, { provider: 'openai', title }),
    ...READ,
  });
}

function failed(label: string) {
  const of = ofCommand(label, { provider: 'openai', title: 'read_file src/cart.ts' });
  return anEvent(0, { type: 'command_failed', ...of, ...READ, outcome: 'failed', reason: 'r', message: '' });
}

function lastRows(events: Parameters<typeof storyState>[0], max = 3): readonly string[] {
  return screenText(eventRows(storyState(events), [], { max, render: { ...RENDER, width: 80 } })).split('\n');
}

test('repeated identical calls share one row with a count; a failure always has its own row', () => {
  const rows = lastRows([done('a1'), done('a2'), done('a3', 'read_file b.ts'), done('a4', 'read_file b.ts')]);
  expect(rows.slice(-2).map((row) => row.replace(/^.*completed /, ''))).toEqual([
    'read_file src/cart.ts ×2',
    'read_file b.ts ×2',
  ]);
  expect(lastRows([failed('f1'), failed('f2')], 2).every((row) => row.includes('failed'))).toBe(true);
});

test('a command with a non-zero exit code has its own icon and shows the code', () => {
  const of = ofCommand('a1', { provider: 'openai', title: 'bash grep -q TODO a.txt' });
  const answered = anEvent(0, { type: 'command_completed', ...of, ...READ, tool: 'bash', exitCode: 1 });
  const [row] = lastRows([answered], 1);
  expect(row).toMatch(/ ≠ {2}a1\S* exit 1 bash grep -q TODO a\.txt$/);
});

test('a running command has a row until it ends: then only its end is shown', () => {
  const of = ofCommand('s1', { provider: 'openai', title: 'run_linter' });
  const submitted = anEvent(1, { type: 'command_submitted', ...of, tool: 'run_linter' });
  const started = anEvent(1, { type: 'command_started', ...of, claims: [], fencingToken: 1, waitedMs: 0 });
  expect(lastRows([submitted, started], 1)[0]).toContain('started run_linter');
  const ended = anEvent(0, { type: 'command_completed', ...of, ...READ, tool: 'run_linter' });
  const rows = lastRows([submitted, started, ended], 2).join('\n');
  expect(rows).toContain('completed run_linter');
  expect(rows).not.toContain('started run_linter');
});
