import { ProviderError } from '../errors/provider-error.ts';
import {
  NO_USAGE,
  type AssistantPart,
  type Provider,
  type StopReason,
  type ToolCall,
  type TurnEvent,
  type TurnLimits,
  type TurnRequest,
  type Usage,
} from '../provider.ts';
import type { Clock } from '../ports/clock.ts';

export type ScriptedCall = {
  /** Absent: the provider makes one up, as for servers that send none. */
  readonly id?: string;
  readonly name: string;
  readonly argsText: string;
};

/** What a model does at one request. */
export type ScriptedTurn =
  | {
      readonly kind: 'answer';
      readonly reasoning?: string;
      readonly text?: string;
      readonly calls?: readonly ScriptedCall[];
      /** Default: `tools` with calls, `end` without. */
      readonly stop?: StopReason;
      readonly usage?: Usage;
    }
  /** Sends some text, then the connection ends without a terminal event. */
  | { readonly kind: 'truncated'; readonly text: string }
  /** Sends some text (or none, if it is empty) and then nothing more. */
  | { readonly kind: 'stall'; readonly text: string }
  | { readonly kind: 'rate-limited'; readonly retryAfterMs: number }
  | { readonly kind: 'server-error' };

/** Also: a turn that depends on the request, or any error. */
export type ScriptStep = ScriptedTurn | ProviderError | ((request: TurnRequest) => ScriptedTurn);

export type ScriptedProvider = Provider & {
  /** Appends to the script, one step for each request. */
  script(steps: readonly ScriptStep[]): void;
  /** The requests so far, in order. */
  readonly requests: readonly TurnRequest[];
};

/** A provider that follows a script in place of a model. It passes the providers' contract. */
export function createScriptedProvider(options: { id: string; clock: Clock }): ScriptedProvider {
  const { id, clock } = options;
  const steps: ScriptStep[] = [];
  const requests: TurnRequest[] = [];

  return {
    id,
    requests,
    script(more) {
      steps.push(...more);
    },
    async *stream(request, limits) {
      if (limits.signal.aborted) throw cancelled(false);
      requests.push(request);
      const step = steps.shift();
      if (step === undefined) throw new ProviderError('InvalidParameters', 'The script is at its end');
      const turn = typeof step === 'function' ? step(request) : step;
      if (turn instanceof ProviderError) throw turn;
      yield* play(turn, { request, limits, clock });
    },
  };
}

async function* play(
  turn: ScriptedTurn,
  { request, limits, clock }: { request: TurnRequest; limits: TurnLimits; clock: Clock },
): AsyncGenerator<TurnEvent, void, undefined> {
  switch (turn.kind) {
    case 'rate-limited':
      throw new ProviderError('RateLimited', 'Slow down', { status: 429, retryAfterMs: turn.retryAfterMs });
    case 'server-error':
      throw new ProviderError('ServerError', 'Internal error', { status: 500 });
    case 'truncated':
      yield { kind: 'text', delta: turn.text };
      throw new ProviderError('Truncated', 'The stream ended early', { sawOutput: true });
    case 'stall': {
      const silent = turn.text === '';
      if (!silent) yield { kind: 'text', delta: turn.text };
      throw await silence(silent ? limits.firstByteMs : limits.idleMs, limits, { clock, sawOutput: !silent });
    }
    case 'answer':
      for (const event of toEvents(turn, request)) {
        if (limits.signal.aborted) throw cancelled(true);
        yield event;
      }
  }
}

/** Ends by the limit or by the caller's signal. */
function silence(
  limitMs: number,
  { signal }: TurnLimits,
  { clock, sawOutput }: Readonly<{ clock: Clock; sawOutput: boolean }>,
): Promise<ProviderError> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(cancelled(sawOutput));
    const stopTimer = clock.timer(limitMs, () =>
      resolve(new ProviderError('Timeout', 'Nothing came', { sawOutput })),
    );
    signal.addEventListener(
      'abort',
      () => {
        stopTimer();
        resolve(cancelled(sawOutput));
      },
      { once: true },
    );
  });
}

function cancelled(sawOutput: boolean): ProviderError {
  return new ProviderError('Cancelled', 'cancelled', { sawOutput });
}

function* toEvents(
  turn: Extract<ScriptedTurn, { kind: 'answer' }>,
  request: TurnRequest,
): Iterable<TurnEvent> {
  const usage = turn.usage ?? NO_USAGE;
  const calls = withIds(turn.calls ?? [], request);
  const parts: AssistantPart[] = [];
  if (turn.reasoning !== undefined) {
    parts.push({ kind: 'reasoning', text: turn.reasoning });
    yield { kind: 'reasoning', delta: turn.reasoning };
  }
  if (turn.text !== undefined && turn.text !== '') {
    parts.push({ kind: 'text', text: turn.text });
    for (const piece of turn.text.match(/[\s\S]{1,8}/g) ?? []) yield { kind: 'text', delta: piece };
  }
  for (const call of calls) {
    parts.push({ kind: 'call', call });
    yield { kind: 'call-start', id: call.id, name: call.name };
    if (call.argsText !== '') yield { kind: 'call-args', id: call.id, delta: call.argsText };
  }
  yield { kind: 'usage', usage };
  const stop = turn.stop ?? (calls.length > 0 ? 'tools' : 'end');
  yield { kind: 'done', stop, assistant: { role: 'assistant', parts }, usage };
}

function withIds(calls: readonly ScriptedCall[], request: TurnRequest): ToolCall[] {
  const used = new Set(
    request.messages
      .flatMap((message) => (message.role === 'assistant' ? message.parts : []))
      .flatMap((part) => (part.kind === 'call' ? [part.call.id] : [])),
  );
  return calls.map(({ id: proposed, name, argsText }) => {
    let id = proposed ?? '';
    for (let n = used.size + 1; id === '' || used.has(id); n++) id = `scripted_${n}`;
    used.add(id);
    return { id, name, argsText };
  });
}
