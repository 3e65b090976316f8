import type { Tool } from '@signalbox/core';
import { createMemoryLogger } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { anExecution } from '../../testing/coordinator-harness.ts';
import { executorOf, shell, startCall, toolOf } from '../../testing/running-call.ts';

const CREATED = { path: 'made.ts', kind: 'created', hash: null } as const;

/** Answers with a number, and declares a text. */
function lyingTool(): Tool {
  const tool = toolOf(async (_args, { run }) => {
    const execution = await run({ kind: 'shell', line: 'x' });
    return { output: 7, execution, files: [CREATED] };
  });
  return { ...tool, output: z.string() };
}

test('an answer outside its tool’s schema is a failure of ours that keeps what the command did (M6, S000-05)', async () => {
  const logger = createMemoryLogger();
  const executor = executorOf(async () => anExecution({ changes: [{ ...CREATED, path: 'b.ts' }] }));
  const { call } = await startCall({ tool: lyingTool(), executor, logger });
  const { outcome, answer } = await call.ended;
  expect(outcome).toEqual({
    kind: 'failed',
    failure: {
      code: 'invalid-output',
      category: 'PermanentFailure',
      message: expect.stringContaining('a fault of Signalbox') as unknown,
      suggestion: expect.stringContaining('Do not repeat') as unknown,
      why: ['its changes stay: made.ts, b.ts'],
      visibility: 'visible',
    },
  });
  expect(answer).toMatchObject({ output: null, files: [CREATED], execution: { ended: { exitCode: 0 } } });
  expect(logger.lines).toMatchObject([{ level: 'error', message: 'tool answered outside its schema' }]);
});

test('a command that failed keeps its own failure, whatever its answer (M6)', async () => {
  const executor = executorOf(async () => anExecution({ ended: { kind: 'timed_out', timeoutMs: 5 } }));
  const { call } = await startCall({ tool: lyingTool(), executor });
  expect(await call.ended).toMatchObject({ outcome: { kind: 'timed_out' }, answer: { output: null } });
});

test('an answer that fits, or of a tool without a schema, is returned as it is', async () => {
  for (const tool of [shell, { ...shell, output: z.null() }]) {
    const { call } = await startCall({ tool });
    expect((await call.ended).outcome).toEqual({ kind: 'completed' });
  }
});
