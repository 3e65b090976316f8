import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ProviderError } from '../../errors/provider-error.ts';
import type {
  Message,
  Provider,
  ToolOffer,
  TurnEvent,
  TurnLimits,
  TurnRequest,
  Usage,
} from '../../provider.ts';
import type { ManualClock } from '../manual-clock.ts';
import type { ScriptedTurn } from '../scripted-provider.ts';

export type ProviderUnderTest = {
  readonly provider: Provider;
  /** The clock that its limits run on. */
  readonly clock: ManualClock;
  /** Scripts the model's next turns, one for each request that reaches it. */
  script(turns: readonly ScriptedTurn[]): void;
  /** Requests that reached the model, as text, in order. */
  received(): readonly string[];
  close(): Promise<void>;
};

const READ_FILE: ToolOffer = {
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

const USAGE: Usage = {
  inputTokens: 100,
  cachedInputTokens: 40,
  cacheWriteTokens: 0,
  outputTokens: 20,
  reasoningTokens: 0,
};

/** The contract of every provider, over any wire format. */
export function providerContract(name: string, create: () => Promise<ProviderUnderTest>): void {
  describe(`provider contract: ${name}`, () => {
    let subject: ProviderUnderTest;
    beforeEach(async () => {
      subject = await create();
    });
    afterEach(() => subject.close());

    const turn = (more: Partial<TurnRequest> = {}, limits: Partial<TurnLimits> = {}): Promise<TurnEvent[]> =>
      collect(subject.provider, { ...aRequest(), ...more }, { ...someLimits(), ...limits });

    test('an answer is streamed in pieces, and done comes last with all of it (S002-13)', async () => {
      subject.script([{ kind: 'answer', text: 'All of it is merged.', usage: USAGE }]);
      const events = await turn();
      const done = doneOf(events);
      expect(events.flatMap((event) => (event.kind === 'text' ? [event.delta] : [])).join('')).toBe(
        'All of it is merged.',
      );
      expect(events.findIndex(({ kind }) => kind === 'done')).toBe(events.length - 1);
      expect(done.stop).toBe('end');
      expect(done.assistant.parts).toEqual([{ kind: 'text', text: 'All of it is merged.' }]);
      expect(done.usage).toEqual(USAGE);
      expect(events).toContainEqual({ kind: 'usage', usage: USAGE });
    });

    test('several calls of one turn keep their order, ids, names and arguments (S002-14, S002-39)', async () => {
      const calls = [
        { id: 'call_a', name: 'read_file', argsText: '{"path":"a.ts"}' },
        { id: 'call_b', name: 'read_file', argsText: '{"path":"b.ts"}' },
      ];
      subject.script([{ kind: 'answer', text: 'Let me look.', calls }]);
      const events = await turn();
      expect(doneOf(events).stop).toBe('tools');
      expect(callsOf(events)).toEqual(calls);
      for (const { id, name: tool, argsText } of calls) {
        expect(events).toContainEqual({ kind: 'call-start', id, name: tool });
        expect(argsOf(events, id)).toBe(argsText);
      }
    });

    test('arguments that are not JSON stay unchanged text', async () => {
      subject.script([
        { kind: 'answer', calls: [{ id: 'call_a', name: 'read_file', argsText: '{"path": ' }] },
      ]);
      expect(callsOf(await turn())).toEqual([{ id: 'call_a', name: 'read_file', argsText: '{"path": ' }]);
    });

    test('a call without an id, or with a duplicate one, gets its own id (X-24)', async () => {
      const call = { name: 'read_file', argsText: '{"path":"a.ts"}' };
      subject.script([{ kind: 'answer', calls: [call, { ...call, id: 'same' }, { ...call, id: 'same' }] }]);
      const before: Message[] = [
        {
          role: 'assistant',
          parts: [{ kind: 'call', call: { id: 'earlier', name: 'read_file', argsText: '{}' } }],
        },
        { role: 'tool', results: [{ callId: 'earlier', text: 'ok', isError: false }] },
      ];
      const ids = callsOf(await turn({ messages: [...aRequest().messages, ...before] })).map(({ id }) => id);
      expect(ids[1]).toBe('same');
      expect(new Set([...ids, 'earlier', '']).size).toBe(5);
    });

    test('a turn is sent back with its results in call order, malformed arguments included', async () => {
      const calls = [
        { id: 'call_a', name: 'read_file', argsText: '{"path":"a.ts"}' },
        { id: 'call_b', name: 'read_file', argsText: '{"path' },
      ];
      subject.script([
        { kind: 'answer', text: 'Let me look.', calls },
        { kind: 'answer', text: 'Done.' },
      ]);
      const first = doneOf(await turn());
      const results: Message = {
        role: 'tool',
        results: [
          { callId: 'call_a', text: 'first result', isError: false },
          { callId: 'call_b', text: 'second result', isError: true },
        ],
      };
      const second = await turn({ messages: [...aRequest().messages, first.assistant, results] });
      expect(doneOf(second).stop).toBe('end');
      const sent = subject.received()[1] ?? '';
      const order = ['Let me look.', 'a.ts', 'first result', 'second result'].map((word) =>
        sent.indexOf(word),
      );
      expect(order).not.toContain(-1);
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    });

    test('a turn that was cut at the output limit stops for length', async () => {
      subject.script([
        {
          kind: 'answer',
          text: 'I begin',
          calls: [{ id: 'call_a', name: 'read_file', argsText: '{"pa' }],
          stop: 'length',
        },
      ]);
      expect(doneOf(await turn()).stop).toBe('length');
    });

    test('a model that refuses stops as refused', async () => {
      subject.script([{ kind: 'answer', text: 'I will not.', stop: 'refused' }]);
      expect(doneOf(await turn()).stop).toBe('refused');
    });

    test('a stream that ends early is an error, never a short answer', async () => {
      subject.script([{ kind: 'truncated', text: 'All of it' }]);
      expect(await failureOf(turn())).toMatchObject({ kind: 'Truncated', sawOutput: true, retryable: true });
    });

    test('a rate limit says how long to wait, and is not retried', async () => {
      subject.script([
        { kind: 'rate-limited', retryAfterMs: 7000 },
        { kind: 'answer', text: 'too late' },
      ]);
      expect(await failureOf(turn())).toMatchObject({
        kind: 'RateLimited',
        status: 429,
        retryAfterMs: 7000,
        retryable: true,
        sawOutput: false,
      });
      expect(subject.received()).toHaveLength(1);
    });

    test('a server error is one request and one error', async () => {
      subject.script([{ kind: 'server-error' }, { kind: 'answer', text: 'too late' }]);
      expect(await failureOf(turn())).toMatchObject({ kind: 'ServerError', status: 500, retryable: true });
      expect(subject.received()).toHaveLength(1);
    });

    test('a model that never starts times out at the first-byte limit', async () => {
      subject.script([{ kind: 'stall', text: '' }]);
      const failure = failureOf(turn());
      await subject.clock.advance(someLimits().firstByteMs);
      expect(await failure).toMatchObject({ kind: 'Timeout', sawOutput: false, retryable: true });
    });

    test('a stream that falls silent times out at the idle limit', async () => {
      subject.script([{ kind: 'stall', text: 'I am thinking ...' }]);
      const stream = open(subject.provider, { totalMs: 2_000_000_000 });
      expect(await stream.next()).toMatchObject({ value: { kind: 'text' } });
      const failure = failureOf(drain(stream));
      // Pieces that are still in transit restart the idle time.
      const progress = { over: false };
      void failure.finally(() => {
        progress.over = true;
      });
      for (let tries = 0; !progress.over && tries < 1000; tries++) {
        await subject.clock.advance(someLimits().idleMs);
      }
      expect(await failure).toMatchObject({ kind: 'Timeout', sawOutput: true });
    });

    test('a stream that is cancelled midway ends as cancelled', async () => {
      const controller = new AbortController();
      subject.script([{ kind: 'stall', text: 'I am thinking ...' }]);
      const stream = open(subject.provider, { signal: controller.signal });
      await stream.next();
      const failure = failureOf(drain(stream));
      controller.abort();
      expect(await failure).toMatchObject({ kind: 'Cancelled', retryable: false });
    });

    test('a turn that was cancelled before it began sends no request', async () => {
      subject.script([{ kind: 'answer', text: 'too late' }]);
      expect(await failureOf(turn({}, { signal: AbortSignal.abort() }))).toMatchObject({ kind: 'Cancelled' });
      expect(subject.received()).toEqual([]);
    });

    test('a turn leaves no timer behind', async () => {
      subject.script([{ kind: 'answer', text: 'Done.' }, { kind: 'server-error' }]);
      await turn();
      await failureOf(turn());
      expect(subject.clock.pendingTimers()).toBe(0);
    });
  });
}

function aRequest(): TurnRequest {
  return {
    model: 'some-model',
    tools: [READ_FILE],
    messages: [
      { role: 'system', text: 'You work on a shared tree.' },
      { role: 'user', text: 'Merge a into b.' },
    ],
  };
}

function someLimits(): TurnLimits {
  return { signal: new AbortController().signal, firstByteMs: 60_000, idleMs: 30_000, totalMs: 600_000 };
}

function open(provider: Provider, limits: Partial<TurnLimits> = {}): AsyncIterator<TurnEvent> {
  return provider.stream(aRequest(), { ...someLimits(), ...limits })[Symbol.asyncIterator]();
}

async function collect(provider: Provider, request: TurnRequest, limits: TurnLimits): Promise<TurnEvent[]> {
  const events: TurnEvent[] = [];
  for await (const event of provider.stream(request, limits)) events.push(event);
  return events;
}

async function drain(stream: AsyncIterator<TurnEvent>): Promise<void> {
  while ((await stream.next()).done !== true);
}

async function failureOf(work: Promise<unknown>): Promise<ProviderError> {
  const error: unknown = await work.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  if (error instanceof ProviderError) return error;
  throw error;
}

function doneOf(events: readonly TurnEvent[]): Extract<TurnEvent, { kind: 'done' }> {
  const last = events.at(-1);
  if (last?.kind !== 'done') throw new Error('the last event is not done');
  return last;
}

function callsOf(events: readonly TurnEvent[]): readonly { id: string; name: string; argsText: string }[] {
  return doneOf(events).assistant.parts.flatMap((part) => (part.kind === 'call' ? [part.call] : []));
}

function argsOf(events: readonly TurnEvent[], id: string): string {
  return events
    .flatMap((event) => (event.kind === 'call-args' && event.id === id ? [event.delta] : []))
    .join('');
}
