import { EMPTY_OUTPUT, type Execution } from '@signalbox/core';
import { expect, test } from 'vitest';
import { anExecution, createHarness, FREE } from '../testing/coordinator-harness.ts';

test('a result has every field of specification 003, and its events their fields (S003-22, S003-48, S003-51, S003-52)', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start();
  const run = async (ended: Execution['ended']) => {
    harness.setProgram(async () => anExecution({ ended, stdout: { ...EMPTY_OUTPUT, text: 'out' } }));
    return harness.submit(coordinator, 'shell', { line: 'npm test' }).result;
  };
  const completed = await run({ kind: 'exited', exitCode: 0 });
  expect(completed).toMatchObject({
    provider: 'openai',
    tool: 'shell',
    title: 'shell npm test',
    outcome: { kind: 'completed' },
    exitCode: 0,
    stdout: 'out',
    stderr: '',
    usage: { cpuMs: 3, peakMemoryBytes: 1000 },
  });
  const { commandId, durationMs, endedAt } = completed;
  expect([commandId, durationMs, endedAt].includes(undefined as never)).toBe(false);
  const of = { commandId, provider: 'openai', title: 'shell npm test', at: completed.submittedAt };
  expect(await harness.reported('command_submitted')).toMatchObject([of]);
  expect(await harness.reported('command_completed')).toMatchObject([{ commandId, exitCode: 0, durationMs }]);
  const late = await run({ kind: 'timed_out', timeoutMs: 1000 });
  expect(await harness.reported('command_failed')).toMatchObject([
    { commandId: late.commandId, reason: 'timeout', outcome: 'timed_out', exitCode: -1 },
  ]);
});
