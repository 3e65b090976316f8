import { NO_USAGE, type Provider, type ToolCall, type TurnRequest } from '@signalbox/core';
import { expect, test } from 'vitest';
import { setUpHarness } from './testing/session-harness.ts';

/** A provider as sessions get it: its calls are without thoughts, and say so. */
function thinkingProvider(
  calls: readonly ToolCall[],
): Provider & { readonly requests: readonly TurnRequest[] } {
  const requests: TurnRequest[] = [];
  return {
    id: 'anthropic',
    requests,
    async *stream(request) {
      requests.push(request);
      const isFirst = requests.length === 1;
      const parts = isFirst ? calls.map((call) => ({ kind: 'call' as const, call })) : [];
      yield {
        kind: 'done',
        stop: isFirst ? 'tools' : 'end',
        assistant: { role: 'assistant', parts },
        usage: NO_USAGE,
      };
    },
  };
}

test('a call of nothing but thoughts is answered and not made, beside others of its turn (X-25)', async () => {
  const harness = setUpHarness([], () => ({ content: 'read' }));
  const provider = thinkingProvider([
    { id: 'c1', name: 'read_file', argsText: '{}', thoughts: 'only' },
    { id: 'c2', name: 'read_file', argsText: '{"path":"a"}', thoughts: 'some' },
  ]);
  const { finish } = await harness.start({ provider }).finished;
  expect(finish).toBe('finished');
  expect(harness.commands.map(({ call }) => call.callId)).toEqual(['c2']);
  const answers = provider.requests[1]?.messages.at(-1);
  expect(answers).toMatchObject({
    role: 'tool',
    results: [
      {
        callId: 'c1',
        isError: true,
        text: expect.stringContaining('it has only thoughts, and no arguments'),
      },
      { callId: 'c2', isError: false, text: 'read' },
    ],
  });
});

test('only calls of complex tools are counted, with thoughts or without', async () => {
  const harness = setUpHarness([], () => ({ content: 'read' }));
  const provider = thinkingProvider([
    { id: 'c1', name: 'complex', argsText: '{"a":1}', thoughts: 'some' },
    { id: 'c2', name: 'complex', argsText: '{"a":1}' },
    { id: 'c3', name: 'simple', argsText: '{"a":1}', thoughts: 'some' },
  ]);
  await harness.start({ provider, isComplex: (tool) => tool === 'complex' }).finished;
  expect(harness.commands.map(({ context }) => context.thought)).toEqual([true, false, undefined]);
});

test('a turn says what the filter left out of its offer, and gets the words of the person', async () => {
  const harness = setUpHarness([{ kind: 'answer', text: 'Done.' }]);
  const asked: string[] = [];
  const offers = async (task: string) => {
    asked.push(task);
    return { tools: [], leftOut: 7, tokensSaved: 900 };
  };
  await harness.start({ offers }).finished;
  expect(asked).toEqual(['Merge a into b.']);
  expect(harness.events).toContainEqual(
    expect.objectContaining({ type: 'turn_ended', filter: { leftOut: 7, tokensSaved: 900 } }),
  );
});
