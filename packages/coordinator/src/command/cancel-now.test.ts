import { expect, test } from 'vitest';
import { anExecution, createHarness, FREE } from '../testing/coordinator-harness.ts';

test('a command being stopped gently can be stopped now, and keeps its first reason', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start();
  const heard: string[] = [];
  harness.setProgram(async (_request, { signal, kill }) => {
    signal.addEventListener('abort', () => heard.push('stop'));
    await new Promise((resolve) => kill?.addEventListener('abort', resolve));
    heard.push('kill');
    return anExecution({ ended: { kind: 'stopped' } });
  });
  const { commandId, result } = harness.submit(coordinator, 'shell', { line: 'ls' });
  await harness.settle();
  expect(await coordinator.cancel(commandId, { by: 'ana', reason: 'enough' })).toEqual({ kind: 'stopping' });
  expect(heard).toEqual(['stop']);
  expect(await coordinator.cancel(commandId, { by: 'ben', reason: 'at last', haste: 'now' })).toEqual({
    kind: 'stopping',
  });
  await harness.settle();
  expect((await result).outcome).toMatchObject({
    kind: 'cancelled',
    failure: { message: expect.stringMatching(/ana.*enough/) },
  });
  expect(heard).toEqual(['stop', 'kill']);
  await coordinator.close();
});
