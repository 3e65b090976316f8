import { expect, test } from 'vitest';
import { anExecution, createStage, FREE } from '../testing/coordinator-stage.ts';

test('what is cancelled gently may be cancelled now, and keeps its first reason', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start();
  const heard: string[] = [];
  stage.setProgram(async (_request, { signal, kill }) => {
    signal.addEventListener('abort', () => heard.push('stop'));
    await new Promise((resolve) => kill?.addEventListener('abort', resolve));
    heard.push('kill');
    return anExecution({ ended: { kind: 'stopped' } });
  });
  const { commandId, result } = stage.submit(coordinator, 'shell', { line: 'ls' });
  await stage.settle();
  expect(await coordinator.cancel(commandId, 'ana', 'enough')).toEqual({ kind: 'stopping' });
  expect(heard).toEqual(['stop']);
  expect(await coordinator.cancel(commandId, 'ben', 'at last', 'now')).toEqual({ kind: 'stopping' });
  await stage.settle();
  expect((await result).outcome).toMatchObject({
    kind: 'cancelled',
    failure: { message: expect.stringMatching(/ana.*enough/) },
  });
  expect(heard).toEqual(['stop', 'kill']);
  await coordinator.close();
});
