import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { type CommandId, defaultSettings, ProviderId, shortId, UnavailableError } from '@signalbox/core';
import {
  aCallContext,
  aCommandId,
  aCommandRecord,
  aSessionId,
  createManualClock,
  createMemoryLogger,
  ended,
  type ManualClock,
} from '@signalbox/core/testing';
import { createMcpAgent, createStartFolder, type McpRuntime } from '@signalbox/server/mcp';
import { expect, test, vi } from 'vitest';

type View = Awaited<ReturnType<McpRuntime['send']>>;

const ID = aCommandId();
const CODEX = ProviderId.parse('codex');
const RECORD = aCommandRecord({ id: ID, context: aCallContext({ provider: CODEX }), title: 'bash make' });
const WAITING: View = { ...RECORD, state: 'awaiting_approval', status: 'pending' };
const DONE: View = { ...ended(RECORD), status: 'completed' };

/** A coordinator with one call, which blocks until it is released. */
function waitingRuntime(clock: ManualClock) {
  const asked: number[] = [];
  const cancelled: CommandId[] = [];
  let view = WAITING;
  let letGo = (): void => undefined;
  const runtime: McpRuntime = {
    offersUnlike: () => Promise.reject(new Error('nobody follows')),
    offers: async () => [
      {
        name: 'bash',
        description: 'Runs',
        inputSchema: { type: 'object' },
        title: 'Bash',
        isBuiltIn: true,
        hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
      },
    ],
    send: async () => view,
    wait: (_id, ms, signal) =>
      new Promise((resolve) => {
        if (ms === 0) return resolve(view);
        asked.push(ms);
        const answer = (): void => {
          cancelTimer();
          resolve(view);
        };
        letGo = answer;
        const cancelTimer = clock.timer(ms, answer);
        signal.addEventListener('abort', answer, { once: true });
      }),
    holderFor: async () => null,
    cancel: async (id) => {
      cancelled.push(id);
    },
  };
  const finish = (): void => {
    view = DONE;
    letGo();
  };
  return { runtime, asked, cancelled, finish };
}

async function connect() {
  const clock = createManualClock();
  const waiting = waitingRuntime(clock);
  const caller = { provider: CODEX, sessionId: aSessionId() };
  const parts = {
    runtime: waiting.runtime,
    caller,
    settings: () => defaultSettings().mcp,
    address: async () => 'http://127.0.0.1:4180',
    version: '1.0.0',
    start: createStartFolder({ startedIn: '.', logger: createMemoryLogger() }),
    isFolder: async () => false,
    clock,
    logger: createMemoryLogger(),
  };
  const agent = createMcpAgent(parts);
  const server = await agent.serve({ lasts: false });
  const client = new Client({ name: 'agent', version: '1.0.0' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(ours);
  await client.connect(theirs);
  return { ...waiting, agent, clock, client };
}

const CALL = { name: 'signalbox_bash', arguments: { line: 'make' } };
const PATIENT = { timeout: 3_600_000 };

test('an agent that requests progress hears every 10 s what its call waits for and how to answer, for 100 s', async () => {
  const { client, clock, asked, finish } = await connect();
  const reported: unknown[] = [];
  const answer = client.callTool(CALL, { ...PATIENT, onprogress: (progress) => reported.push(progress) });
  await vi.waitFor(() => expect(asked).toEqual([100_000]), 20_000);
  for (const seconds of [10, 20, 30]) {
    await clock.advance(9999);
    expect(reported).toHaveLength(seconds / 10 - 1);
    await clock.advance(1);
    await vi.waitFor(() => expect(reported.at(-1)).toMatchObject({ progress: seconds }), 20_000);
  }
  expect(reported.at(-1)).toMatchObject({
    message: `bash make · waiting for a person's approval: signalbox approve ${shortId(ID)} · http://127.0.0.1:4180/#/approvals/${ID} · 30 s so far`,
  });
  finish();
  expect(await answer).toMatchObject({ _meta: { 'signalbox/command': { status: 'completed' } } });
  expect(clock.pendingTimers()).toBe(0);
});

test('an agent without progress gets a handle within 45 s, and continues waiting with signalbox_wait', async () => {
  const { client, clock, asked, cancelled, finish } = await connect();
  const answer = client.callTool(CALL, PATIENT);
  await vi.waitFor(() => expect(asked).toEqual([45_000]), 20_000);
  await clock.advance(45_000);
  expect(await answer).toMatchObject({
    content: [{ text: expect.stringMatching(new RegExp(`^\\[signalbox\\] command ${ID} · waiting · `)) }],
    _meta: { 'signalbox/command': { status: 'waiting', id: ID } },
  });
  const more = client.callTool({ name: 'signalbox_wait', arguments: { command: ID } }, PATIENT);
  // As long as the first call: 45 s without progress, 100 s with it.
  await vi.waitFor(() => expect(asked).toEqual([45_000, 45_000]), 20_000);
  await clock.advance(45_000);
  expect(await more).toMatchObject({ _meta: { 'signalbox/command': { status: 'waiting', id: ID } } });
  const longer = client.callTool(
    { name: 'signalbox_wait', arguments: { command: ID } },
    { ...PATIENT, onprogress: () => undefined },
  );
  await vi.waitFor(() => expect(asked).toEqual([45_000, 45_000, 100_000]), 20_000);
  finish();
  expect(await longer).toMatchObject({ _meta: { 'signalbox/command': { status: 'completed' } } });
  expect(cancelled).toEqual([]);
});

test('signalbox_wait without an id names the waiting calls of the session', async () => {
  const { client, clock, asked, finish } = await connect();
  const wait = async (args: Record<string, unknown>): Promise<string> => {
    const { content } = await client.callTool({ name: 'signalbox_wait', arguments: args }, PATIENT);
    return JSON.stringify(content);
  };
  expect(await wait({})).toContain('Cannot wait: \\"command\\" is missing\\nNone of your calls is waiting');
  const answer = client.callTool(CALL, PATIENT);
  await vi.waitFor(() => expect(asked).toEqual([45_000]), 20_000);
  await clock.advance(45_000);
  await answer;
  expect(await wait({})).toContain(
    `Cannot wait: \\"command\\" is missing\\nYour waiting calls: ${ID} (bash make)\\nCall signalbox_wait with {\\"command\\":\\"${ID}\\"}`,
  );
  expect(await wait({ command: 'it' })).toContain(`\\"it\\" is not a command id\\nYour waiting calls: ${ID}`);
  finish();
});

test('a call is cancelled when its agent cancels it or disconnects', async () => {
  const { client, asked, cancelled } = await connect();
  const stop = new AbortController();
  const answer = client.callTool(CALL, { ...PATIENT, signal: stop.signal });
  await vi.waitFor(() => expect(asked).toHaveLength(1), 20_000);
  stop.abort();
  await expect(answer).rejects.toThrow(/abort/i);
  await vi.waitFor(() => expect(cancelled).toEqual([ID]), 20_000);
  client.callTool(CALL, PATIENT).catch(() => undefined);
  await vi.waitFor(() => expect(asked).toHaveLength(2), 20_000);
  await client.close();
  await vi.waitFor(() => expect(cancelled).toEqual([ID, ID]), 20_000);
});

test('a call with a handle is cancelled when its agent leaves, unless the agent has heard its end', async () => {
  const { agent, client, clock, asked, cancelled } = await connect();
  const answer = client.callTool(CALL, PATIENT);
  await vi.waitFor(() => expect(asked).toHaveLength(1), 20_000);
  await clock.advance(45_000);
  await answer;
  await client.close();
  await agent.leave();
  expect(cancelled).toEqual([ID]);

  const other = await connect();
  const heard = other.client.callTool(CALL, PATIENT);
  await vi.waitFor(() => expect(other.asked).toHaveLength(1), 20_000);
  other.finish();
  await heard;
  await other.agent.leave();
  expect(other.cancelled).toEqual([]);
});

test('a call whose outcome is unknown is not reported as failed, or it would be sent again', async () => {
  const { runtime, client } = await connect();
  runtime.wait = () => Promise.reject(new UnavailableError('no-answer', 'Cannot reach the server'));
  const answer = await client.callTool(CALL, PATIENT);
  expect(answer).toMatchObject({ isError: true });
  expect(JSON.stringify(answer.content)).toContain(
    `command ${ID} · unknown\\nCannot reach the server\\nThe call was sent. Call signalbox_wait`,
  );
});
