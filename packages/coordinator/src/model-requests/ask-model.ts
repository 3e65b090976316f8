import {
  type Clock,
  NO_USAGE,
  type Provider,
  ProviderError,
  type ProviderId,
  type ModelRequestPurpose,
  type SessionId,
  type StopReason,
  type TurnEvent,
  type Usage,
} from '@signalbox/core';
import type { SessionBudget } from '../session/budget.ts';
import type { SessionJournal } from '../session/session-journal.ts';
import { costOf, type TokenPrices } from '../session/token-cost.ts';
import { textOf } from '../session/turn-outcome.ts';

/** A configured model, ready for requests. */
export type OpenedModel = {
  readonly id: ProviderId;
  readonly provider: Provider;
  readonly model: string;
  /** Tokens that its context holds; null: unknown. */
  readonly contextTokens: number | null;
  readonly maxOutputTokens?: number | undefined;
  /** Sent only if set: some models accept none. */
  readonly temperature?: number | undefined;
  /** `null`: its cost is unknown. */
  readonly prices: TokenPrices | null;
  /** For one request, in milliseconds. */
  readonly limits: { readonly firstByteMs: number; readonly idleMs: number; readonly totalMs: number };
};

/** One request: instructions and a text, no tools, a bounded answer. */
export type ModelQuestion = {
  readonly purpose: ModelRequestPurpose;
  readonly system: string;
  readonly text: string;
  /** Sent to the model as its limit. */
  readonly maxOutputTokens: number;
  /** A longer answer is a failure: a server may ignore the limit in tokens. */
  readonly maxChars: number;
  /** Upper bound on the provider's own limit, in milliseconds. */
  readonly totalMs: number;
};

type ModelAnswer =
  | {
      readonly kind: 'answered';
      readonly text: string;
      readonly stop: StopReason;
      readonly usage: Usage;
      readonly costUsd: number | null;
    }
  | {
      readonly kind: 'failed';
      /** The model was asked and gave no usable answer, which the question may have caused. */
      readonly wasAsked: boolean;
      readonly message: string;
      readonly usage: Usage;
      readonly costUsd: number | null;
    };

/** Who asks and pays. */
export type ModelCaller = {
  readonly ofSession: { readonly sessionId: SessionId; readonly provider: ProviderId };
  readonly budget: Pick<SessionBudget, 'spend'>;
  readonly journal: SessionJournal;
  readonly clock: Clock;
  /** Removes secrets from what is published. */
  readonly redact: (text: string) => string;
  readonly signal: AbortSignal;
};

/** Asks a model once, publishes the request's cost, and charges it. Never throws, never retries. */
export async function askModel(
  { opened, question }: { readonly opened: OpenedModel; readonly question: ModelQuestion },
  caller: ModelCaller,
): Promise<ModelAnswer> {
  const { clock, journal, ofSession, redact } = caller;
  const startedAt = clock.monotonic();
  const answer = await answerOf(opened, question, caller);
  if (answer.costUsd !== null) caller.budget.spend(answer.costUsd);
  await journal.tell({
    type: 'model_request_ended',
    ...ofSession,
    purpose: question.purpose,
    asked: opened.id,
    model: opened.model,
    success: answer.kind === 'answered',
    message: answer.kind === 'failed' ? redact(answer.message) : '',
    durationMs: clock.monotonic() - startedAt,
    usage: answer.usage,
    costUsd: answer.costUsd,
  });
  return answer;
}

async function answerOf(
  { provider, model, maxOutputTokens, temperature, limits, prices }: OpenedModel,
  question: ModelQuestion,
  { signal }: Pick<ModelCaller, 'signal'>,
): Promise<ModelAnswer> {
  const { maxChars } = question;
  const request = {
    model,
    messages: [
      { role: 'system', text: question.system },
      { role: 'user', text: question.text },
    ] as const,
    tools: [],
    maxOutputTokens: Math.min(question.maxOutputTokens, maxOutputTokens ?? question.maxOutputTokens),
    ...(temperature === undefined ? {} : { temperature }),
  };
  let usage = NO_USAGE;
  const failed = (message: string, wasAsked = true): ModelAnswer => ({
    kind: 'failed',
    wasAsked,
    message,
    usage,
    costUsd: costOf(usage, prices),
  });
  try {
    let chars = 0;
    const bounded = { ...limits, totalMs: Math.min(limits.totalMs, question.totalMs), signal };
    for await (const event of provider.stream(request, bounded)) {
      chars += charsOf(event);
      if (chars > maxChars) return failed(`"${provider.id}" answered with more than ${maxChars} characters`);
      if (event.kind === 'usage') usage = event.usage;
      if (event.kind !== 'done') continue;
      usage = event.usage;
      const text = textOf(event.assistant);
      if (event.stop === 'refused') return failed(`"${provider.id}" refused: ${text.slice(0, 200)}`);
      if (text === '') return failed(`"${provider.id}" answered without text`);
      return { kind: 'answered', text, stop: event.stop, usage, costUsd: costOf(usage, prices) };
    }
    return failed(`the stream of "${provider.id}" ended without a final event`);
  } catch (error) {
    if (!(error instanceof ProviderError)) return failed(`"${provider.id}" failed inside Signalbox`, false);
    return failed(error.message, error.sawOutput || isAboutQuestion(error));
  }
}

/** Codes of a server that could read the request and does not accept it. */
const REFUSED_REQUEST: ReadonlySet<number | undefined> = new Set([400, 413, 422]);

function isAboutQuestion({ kind, status }: ProviderError): boolean {
  if (kind === 'InvalidParameters') return REFUSED_REQUEST.has(status);
  return kind === 'Refused' || kind === 'ContextTooLong' || kind === 'Truncated';
}

/** Characters that an event adds to the answer; calls count, since a model without tools may still write some. */
function charsOf(event: TurnEvent): number {
  return event.kind === 'text' || event.kind === 'call-args' ? event.delta.length : 0;
}
