import { createManualClock, createScriptedProvider } from '@signalbox/core/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProvider, type ProviderOptionsInput } from '../create-provider.ts';
import { chatAnswer } from '../testing/chat-frames.ts';
import { type FaultServer, sendFrames, startFaultServer } from '../testing/fault-server.ts';
import { blockFrames, messageAnswer, messageEnd, messageStart } from '../testing/message-frames.ts';
import { runToDone, runTurn } from '../testing/run-turn.ts';
import { withoutThoughts } from './without-thoughts.ts';

let server: FaultServer;
beforeEach(async () => {
  server = await startFaultServer();
});
afterEach(() => server.close());

const SECRET = 'because the person lives in Kassel';
const THINKS = JSON.stringify({ _tafc_think: SECRET, path: 'a.txt' });
const turn = {
  kind: 'answer',
  calls: [
    { id: 'call_1', name: 'read_file', argsText: THINKS },
    { id: 'call_2', name: 'read_file', argsText: JSON.stringify({ _tafc_think: SECRET }) },
    { id: 'call_3', name: 'read_file', argsText: '{"path":"b.txt"}' },
  ],
} as const;
const STRIPPED = [
  { id: 'call_1', name: 'read_file', argsText: '{"path":"a.txt"}', thoughts: 'some' },
  { id: 'call_2', name: 'read_file', argsText: '{}', thoughts: 'only' },
  { id: 'call_3', name: 'read_file', argsText: '{"path":"b.txt"}' },
];

describe.each(['openai-chat', 'anthropic-messages'] as const)('%s', (api) => {
  const options = (): ProviderOptionsInput => ({
    id: 'some',
    api,
    baseUrl: api === 'openai-chat' ? `${server.url}/v1` : server.url,
  });

  test('a thought is in no event of a turn, and not in the request after it (S001-68, S001-72)', async () => {
    const answer = api === 'openai-chat' ? chatAnswer : messageAnswer;
    server.answer(answer(turn), answer({ kind: 'answer', text: 'Done.' }));
    const provider = createProvider(options(), { clock: createManualClock() });
    const events = await runTurn(provider);
    expect(JSON.stringify(events)).not.toContain('Kassel');
    expect(events.filter(({ kind }) => kind === 'call-args')).toEqual(
      STRIPPED.map(({ id, argsText }) => ({ kind: 'call-args', id, delta: argsText })),
    );
    const done = events.at(-1);
    if (done?.kind !== 'done') throw new Error('the last event is not done');
    expect(done.assistant.parts.map((part) => (part.kind === 'call' ? part.call : part))).toEqual(STRIPPED);
    const results = STRIPPED.map(({ id }) => ({ callId: id, text: 'x', isError: false }));
    await runToDone(provider, { messages: [done.assistant, { role: 'tool', results }] });
    expect(server.received[1]?.text).not.toContain('Kassel');
  });
});

test('a server that sends all arguments at once has no thought in the native message either (S001-72)', async () => {
  const block = { type: 'tool_use', id: 'c', name: 'read_file', input: JSON.parse(THINKS) as object };
  server.answer(
    sendFrames([messageStart(), ...blockFrames(0, block, { deltas: [] }), ...messageEnd('tool_use')]),
  );
  const provider = createProvider(
    { id: 'some', api: 'anthropic-messages', baseUrl: server.url },
    { clock: createManualClock() },
  );
  expect(JSON.stringify(await runTurn(provider))).not.toContain('Kassel');
});

test('a turn without thoughts is unchanged', async () => {
  const provider = createScriptedProvider({ id: 'some', clock: createManualClock() });
  const plain = {
    kind: 'answer',
    text: 'Look.',
    calls: [{ id: 'c', name: 'a', argsText: '{"b":1}' }],
  } as const;
  provider.script([plain, plain]);
  const before = await runToDone(provider);
  expect(await runToDone(withoutThoughts(provider))).toEqual(before);
});
