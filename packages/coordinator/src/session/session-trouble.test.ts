import { expect, test } from 'vitest';
import { read, setUpHarness } from './testing/session-harness.ts';

test('secrets are removed from events and log lines, not from the conversation', async () => {
  const harness = setUpHarness([{ kind: 'answer', text: 'It is hunter2.' }]);
  await harness.start({ task: 'Find hunter2.' }).finished;
  expect(JSON.stringify([harness.events, harness.logger.lines])).not.toContain('hunter2');
  expect(JSON.stringify(harness.provider.requests)).toContain('hunter2');
});

test('an event log that fails loses no turn and no result', async () => {
  const harness = setUpHarness(
    [
      { kind: 'answer', calls: [read('c1')] },
      { kind: 'answer', text: 'Done.' },
    ],
    () => ({
      content: 'aaa',
    }),
  );
  const events = { append: () => Promise.reject(new Error('disk full')) };
  expect(await harness.start({ events }).finished).toMatchObject({
    finish: 'finished',
    calls: [{ content: 'aaa' }],
  });
  expect(harness.logger.lines.filter(({ level }) => level === 'error').length).toBeGreaterThan(0);
});

test('a call that can’t be submitted is still answered', async () => {
  const harness = setUpHarness([
    { kind: 'answer', calls: [read('c1')] },
    { kind: 'answer', text: 'Oh.' },
  ]);
  const submit = (): never => {
    throw new Error('the coordinator is closing');
  };
  expect(await harness.start({ submit }).finished).toMatchObject({
    finish: 'finished',
    calls: [{ callId: 'c1', commandId: null, success: false }],
  });
  expect(JSON.stringify(harness.provider.requests)).not.toContain('the coordinator is closing');
});
