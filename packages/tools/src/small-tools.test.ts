import { InvariantError } from '@signalbox/core';
import { createManualClock } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { echo } from './echo.tool.ts';
import { failingTool } from './failing-tool.tool.ts';
import { getCurrentTime } from './get-current-time.tool.ts';
import { aToolContext, call, failureOf, outputOf } from './testing/tool-context.ts';

test('the current time has three formats (S004-06)', async () => {
  const context = aToolContext({ clock: createManualClock(Date.UTC(2026, 10, 21, 22, 39, 31, 999)) });
  expect(await outputOf(getCurrentTime, {}, context)).toBe('2026-11-21T22:39:31.999Z');
  expect(await outputOf(getCurrentTime, { format: 'unix' }, context)).toBe('1795300771');
  expect(await outputOf(getCurrentTime, { format: 'human' }, context)).toBe('Sat, 21 Nov 2026 22:39:31 GMT');
});

test('echo returns its text (S004-07)', async () => {
  expect(await outputOf(echo, { text: 'hello\n' }, aToolContext())).toBe('hello\n');
});

test('failing_tool fails with a visible or a hidden message (S004-08)', async () => {
  const failure = await failureOf(call(failingTool, { message: 'City not found' }, aToolContext()));
  expect(failure.toFailure()).toEqual({
    code: 'always-fails',
    category: 'PermanentFailure',
    message: 'City not found',
    visibility: 'visible',
  });
  await expect(call(failingTool, { hidden: true }, aToolContext())).rejects.toBeInstanceOf(InvariantError);
});
