import type { ToolContext } from '@signalbox/core';
import { expect, test } from 'vitest';
import { startCall, toolOf } from '../../testing/running-call.ts';

test('no tool can call another: nothing that a handler gets submits a call (S000-87)', async () => {
  let got: ToolContext | undefined;
  const tool = toolOf(async (_args, context) => {
    got = context;
    return { output: null };
  });
  const { call } = await startCall({ tool });
  await call.ended;
  // Whoever adds something here decides whether it can be used to make a call.
  expect(Object.keys(got ?? {}).toSorted()).toEqual([
    'clock',
    'commandId',
    'files',
    'findTools',
    'git',
    'lines',
    'outputs',
    'provider',
    'readHashes',
    'run',
    'sessionId',
    'signal',
    'staleWrite',
  ]);
});
