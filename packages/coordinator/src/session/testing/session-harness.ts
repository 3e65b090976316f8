import {
  type CallContextInput,
  type CommandId,
  createId,
  type Event,
  type NewEvent,
  ProviderId,
  type RawCall,
  type ToolOffer,
} from '@signalbox/core';
import {
  aCommandRecord,
  aSessionId,
  createManualClock,
  createMemoryLogger,
  createScriptedProvider,
  createSeededRandom,
  ended,
  type ManualClock,
  type MemoryLogger,
  type ScriptedProvider,
  type ScriptStep,
} from '@signalbox/core/testing';
import { createRetryBudgets } from '../../retry/retry-budgets.ts';
import { createBudget } from '../budget.ts';
import { runSession } from '../run-session.ts';
import type { SessionHandle, SessionOptions } from '../session-options.ts';

/** A command whose end is controlled by the test. */
export type SessionCommand = {
  readonly id: CommandId;
  readonly call: RawCall;
  readonly context: CallContextInput;
  end(content: string, kind?: 'completed' | 'failed' | 'denied' | 'cancelled'): void;
};

export type SessionHarness = {
  readonly clock: ManualClock;
  readonly provider: ScriptedProvider;
  readonly logger: MemoryLogger;
  readonly events: readonly NewEvent[];
  readonly commands: readonly SessionCommand[];
  /** Commands that the session asked to cancel. */
  readonly cancelled: readonly CommandId[];
  start(overrides?: Partial<SessionOptions>): SessionHandle;
  /** What a session submits with, unless a test overrides it. */
  readonly submit: SessionOptions['submit'];
  /** Resolves when `count` events of the type have been published, and their immediate effects have happened. */
  reported(type: NewEvent['type'], count?: number): Promise<void>;
  /** Resolves when `count` commands have been submitted. */
  submitted(count: number): Promise<void>;
  /** Called with each event before it is stored. */
  onEvent(listener: (event: NewEvent) => void): void;
};

export const PROVIDER = ProviderId.parse('anthropic');
export const SESSION = aSessionId();

const LIMITS = { firstByteMs: 60_000, idleMs: 30_000, totalMs: 600_000 };
const RETRY = { maxAttempts: 2, baseMs: 500, maxMs: 5000, budgetMs: 30_000 };

const offer = (name: string): ToolOffer => ({ name, description: name, inputSchema: { type: 'object' } });

/** A session with small real parts: a scripted provider, a manual clock, commands that tests end. */
export function setUpHarness(
  script: readonly ScriptStep[],
  /** Immediate result of a command; by default a test ends it. */
  answer?: (call: RawCall) => { content: string; kind?: 'completed' | 'failed' | 'denied' } | undefined,
): SessionHarness {
  const clock = createManualClock();
  const provider = createScriptedProvider({ id: 'anthropic', clock });
  const logger = createMemoryLogger();
  const random = createSeededRandom();
  const events: NewEvent[] = [];
  const commands: SessionCommand[] = [];
  const cancelled: CommandId[] = [];
  const listeners: ((event: NewEvent) => void)[] = [];
  let waiting: { isMet: () => boolean; resolve: () => void }[] = [];
  provider.script(script);

  const check = (): void => {
    const met = waiting.filter(({ isMet }) => isMet());
    waiting = waiting.filter((wish) => !met.includes(wish));
    for (const { resolve } of met) resolve();
  };
  const until = (isMet: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      waiting.push({ isMet, resolve });
      check();
    });

  const submit: SessionOptions['submit'] = (call, context) => {
    const id = createId('command', random);
    const result = Promise.withResolvers<Awaited<ReturnType<SessionOptions['submit']>['result']>>();
    const command: SessionCommand = {
      id,
      call,
      context,
      end(content, kind = 'completed') {
        const record = ended(aCommandRecord({ id }), { outcome: kind }).result;
        if (record !== null) result.resolve({ ...record, content });
      },
    };
    commands.push(command);
    const now = answer?.(call);
    if (now !== undefined) command.end(now.content, now.kind);
    check();
    return { commandId: id, result: result.promise };
  };

  return {
    clock,
    provider,
    logger,
    events,
    commands,
    cancelled,
    submit,
    start: (overrides = {}) =>
      runSession({
        sessionId: SESSION,
        providerId: PROVIDER,
        provider,
        model: 'some-model',
        task: 'Merge a into b.',
        systemPrompt: 'You share a tree.',
        offers: async () => ({
          tools: [offer('read_file'), offer('write_file')],
          leftOut: 0,
          tokensSaved: 0,
        }),
        submit,
        cancelCommand: (id) => cancelled.push(id),
        events: {
          append: async (more) => {
            for (const event of more) {
              for (const listener of listeners) listener(event);
              events.push(event);
            }
            check();
            return more as unknown as Event[];
          },
        },
        clock,
        random,
        logger,
        redact: (text) => text.replaceAll('hunter2', '[redacted]'),
        trust: 'provisional',
        limits: LIMITS,
        retry: RETRY,
        retryBudget: createRetryBudgets().of(SESSION),
        compression: {
          model: {
            id: PROVIDER,
            provider,
            model: 'some-model',
            contextTokens: null,
            prices: null,
            limits: LIMITS,
          },
          contextTokens: null,
          at: 0.9,
          offer: null,
        },
        prices: null,
        budget: createBudget(null),
        ...overrides,
      }),
    async reported(type, count = 1) {
      await until(() => events.filter((event) => event.type === type).length >= count);
      // Lets the effects of an event happen too, timers included.
      await clock.advance(0);
    },
    submitted: (count) => until(() => commands.length >= count),
    onEvent: (listener) => void listeners.push(listener),
  };
}

export function read(id: string, path = 'a.ts'): { id: string; name: string; argsText: string } {
  return { id, name: 'read_file', argsText: JSON.stringify({ path }) };
}
