import { expect, test } from 'vitest';
import { read, setStage } from './testing/session-stage.ts';

test('secrets are taken out of events and log lines, not out of the conversation', async () => {
  const stage = setStage([{ kind: 'answer', text: 'It is hunter2.' }]);
  await stage.start({ task: 'Find hunter2.' }).finished;
  expect(JSON.stringify([stage.events, stage.logger.lines])).not.toContain('hunter2');
  expect(JSON.stringify(stage.provider.requests)).toContain('hunter2');
});

test('an event log that fails loses no turn and no result', async () => {
  const stage = setStage(
    [
      { kind: 'answer', calls: [read('c1')] },
      { kind: 'answer', text: 'Done.' },
    ],
    () => ({
      content: 'aaa',
    }),
  );
  const events = { append: () => Promise.reject(new Error('disk full')) };
  expect(await stage.start({ events }).finished).toMatchObject({
    finish: 'finished',
    calls: [{ content: 'aaa' }],
  });
  expect(stage.logger.lines.filter(({ level }) => level === 'error').length).toBeGreaterThan(0);
});

test('a call that can not be submitted is answered all the same', async () => {
  const stage = setStage([
    { kind: 'answer', calls: [read('c1')] },
    { kind: 'answer', text: 'Oh.' },
  ]);
  const submit = (): never => {
    throw new Error('the coordinator is closing');
  };
  expect(await stage.start({ submit }).finished).toMatchObject({
    finish: 'finished',
    calls: [{ callId: 'c1', commandId: null, success: false }],
  });
  expect(JSON.stringify(stage.provider.requests)).not.toContain('the coordinator is closing');
});
