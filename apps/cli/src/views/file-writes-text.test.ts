import { parseSettings } from '@signalbox/core';
import { expect, test } from 'vitest';
import { fileWritesText } from './file-writes-text.ts';

function text(value: unknown, layer = 'overlay'): string {
  const parsed = parseSettings(value);
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return fileWritesText(parsed.settings, layer);
}

test('the first line of run says how file changes are handled, from the settings and the sandbox', () => {
  expect(text({})).toBe('file writes run, undo reverts them');
  expect(text({}, 'bind')).toBe('file writes ask');
  expect(text({ approval: { file_writes: 'ask' } })).toBe('file writes ask');
  expect(text({ approval: { file_writes: 'never' } }, 'bind')).toBe('file writes never ask');
  expect(text({ approval: { file_writes: 'never', prompt_on_warning: true } })).toBe('file writes ask');
  expect(text({ approval: { prompt_on_warning: false } })).toBe('file writes never ask');
  expect(text({ agents: { tool_execution: { require_approval_tools: ['write_file'] } } })).toBe(
    'file writes ask',
  );
  expect(text({ approval: { approval_mode: 'prompt' } })).toBe('every call asks');
  expect(text({ approval: { approval_mode: 'allow_all' } })).toBe('no call asks but dangerous ones');
  expect(text({ approval: { approval_mode: 'deny_all' } })).toBe('no call runs');
});
