import { parseSettings } from '@signalbox/core';
import { expect, test } from 'vitest';
import { fileWritesText } from '../operate/run.ts';

function text(value: unknown, layer = 'overlay'): string {
  const parsed = parseSettings(value);
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return fileWritesText(parsed.settings, layer);
}

test('the first line of run says how file changes are handled, from the settings and the sandbox', () => {
  expect(text({})).toBe('file writes run if undo can revert them');
  expect(text({}, 'bind')).toBe('file writes need approval');
  expect(text({ approval: { file_writes: 'ask' } })).toBe('file writes need approval');
  expect(text({ approval: { file_writes: 'never' } }, 'bind')).toBe('file writes never need approval');
  expect(text({ approval: { file_writes: 'never', prompt_on_warning: true } })).toBe(
    'file writes need approval',
  );
  expect(text({ approval: { prompt_on_warning: false } })).toBe('file writes never need approval');
  expect(text({ agents: { tool_execution: { require_approval_tools: ['write_file'] } } })).toBe(
    'file writes need approval',
  );
  expect(text({ approval: { approval_mode: 'prompt' } })).toBe('every call needs approval');
  expect(text({ approval: { approval_mode: 'allow_all' } })).toBe('only dangerous calls need approval');
  expect(text({ approval: { approval_mode: 'deny_all' } })).toBe('no call runs');
});
