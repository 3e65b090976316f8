import {
  ProviderError,
  type Message,
  type Provider,
  type TurnEvent,
  type TurnLimits,
  type TurnRequest,
} from '@signalbox/core';

export type TurnDone = Extract<TurnEvent, { kind: 'done' }>;

export function aTurnRequest(more: Partial<TurnRequest> = {}): TurnRequest {
  const messages: Message[] = [
    { role: 'system', text: 'You work on a shared tree.' },
    { role: 'user', text: 'Merge a into b.' },
  ];
  const tools = ['read_file', 'write_file'].map((name) => ({
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  }));
  return { model: 'some-model', messages, tools, ...more };
}

/** Runs one turn and collects its events. */
export async function runTurn(
  provider: Provider,
  request: Partial<TurnRequest> = {},
  limits: Partial<TurnLimits> = {},
): Promise<TurnEvent[]> {
  const events: TurnEvent[] = [];
  const turn = provider.stream(aTurnRequest(request), {
    signal: new AbortController().signal,
    firstByteMs: 60_000,
    idleMs: 30_000,
    totalMs: 600_000,
    ...limits,
  });
  for await (const event of turn) events.push(event);
  return events;
}

export async function runToDone(provider: Provider, request: Partial<TurnRequest> = {}): Promise<TurnDone> {
  const last = (await runTurn(provider, request)).at(-1);
  if (last?.kind !== 'done') throw new Error('the last event is not done');
  return last;
}

export async function turnError(
  provider: Provider,
  request: Partial<TurnRequest> = {},
  limits: Partial<TurnLimits> = {},
): Promise<ProviderError> {
  const error: unknown = await runTurn(provider, request, limits).then(
    () => new Error('the turn did not fail'),
    (reason: unknown) => reason,
  );
  if (error instanceof ProviderError) return error;
  throw error;
}
