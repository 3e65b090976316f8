import { ProviderError, type ProviderErrorKind } from '@signalbox/core';
import type { ErrorFacts } from './error-facts.ts';

/** Proxies send long error pages. */
const MAX_MESSAGE_LENGTH = 500;

/**
 * Converts the facts of an SDK error. The original is not kept as `cause`: it holds the server's text, which
 * may contain the key.
 */
export function toProviderError(
  facts: ErrorFacts,
  context: {
    providerId: string;
    apiKey: string;
    sawOutput: boolean;
    now: number;
    /** What was requested. Default: a turn. */
    wanted?: string;
  },
): ProviderError {
  const text = facts.message.replaceAll(/\s+/g, ' ').slice(0, MAX_MESSAGE_LENGTH);
  return new ProviderError(
    kindOf(facts),
    redactKey(
      `Cannot get ${context.wanted ?? 'a turn'} from "${context.providerId}": ${text}`,
      context.apiKey,
    ),
    {
      status: facts.status,
      retryAfterMs: retryAfterMs(facts.headers, context.now),
      requestId: facts.requestId,
      sawOutput: context.sawOutput,
    },
  );
}

type Row = { readonly kind: ProviderErrorKind; readonly when: (facts: ErrorFacts) => boolean };

const word = (facts: ErrorFacts, words: RegExp): boolean =>
  words.test(facts.type ?? '') || words.test(facts.code ?? '');
const isBadRequest = ({ status }: ErrorFacts): boolean => status === undefined || status === 400;

/**
 * Anthropic ("prompt is too long", "input length and `max_tokens` exceed context limit"), Google ("input token count
 * exceeds the maximum"), LM Studio ("context overflows"), Mistral, vLLM, llama.cpp and others.
 */
const TOO_LONG =
  /prompt is too long|(maximum|available) context|context (length|size|window) (is )?exceeded|exceeds? the .{0,30}context|exceed context limit|input token count.{0,40}exceeds|context the overflows|context overflows/i;

/**
 * The first matching row decides. Where a vendor has no code for a case, its message is matched: Anthropic's
 * "credit balance is too low" and "prompt is too long", and the many messages of local servers about a full
 * context.
 */
const ROWS: readonly Row[] = [
  { kind: 'Timeout', when: ({ connection }) => connection === 'timeout' },
  { kind: 'NetworkError', when: ({ connection }) => connection === 'failed' },
  {
    kind: 'Quota',
    when: (facts) =>
      facts.status === 402 ||
      word(facts, /^(insufficient_quota|billing_error|billing_hard_limit_reached|insufficient_balance)$/) ||
      (isBadRequest(facts) && /credit balance is too low/i.test(facts.message)),
  },
  {
    kind: 'RateLimited',
    when: (facts) => facts.status === 429 || word(facts, /^rate_limit(_error|_exceeded)$/),
  },
  {
    kind: 'Auth',
    when: (facts) =>
      facts.status === 401 ||
      facts.status === 403 ||
      word(facts, /^(authentication_error|permission_error|invalid_api_key)$/),
  },
  { kind: 'Timeout', when: (facts) => facts.status === 408 || word(facts, /^timeout_error$/) },
  {
    kind: 'ContextTooLong',
    when: (facts) =>
      word(facts, /^(context_length_exceeded|exceed_context_size_error|request_too_large)$/) ||
      facts.status === 413 ||
      (isBadRequest(facts) && TOO_LONG.test(facts.message)),
  },
  {
    kind: 'Refused',
    when: (facts) => word(facts, /^(content_filter|content_policy_violation)$/),
  },
  {
    kind: 'ServerError',
    // 409: another request holds the resource; the vendors' SDKs retry it too.
    when: ({ status }) => status !== undefined && (status >= 500 || status === 409),
  },
  {
    kind: 'InvalidParameters',
    when: (facts) =>
      (facts.status !== undefined && facts.status >= 300) ||
      word(facts, /^(invalid_request_error|not_found_error)$/),
  },
  // An error event in the stream has no status.
  { kind: 'ServerError', when: (facts) => facts.type !== undefined || facts.code !== undefined },
];

function kindOf(facts: ErrorFacts): ProviderErrorKind {
  return ROWS.find(({ when }) => when(facts))?.kind ?? 'Protocol';
}

/**
 * Shorter keys aren't secrets, and replacing them would cut words out of messages: local servers accept
 * `ollama` or `none`.
 */
const SHORTEST_SECRET = 8;

/** Redacts the key, and anything that looks like one, in text from a server. */
export function redactKey(text: string, apiKey: string): string {
  const known = apiKey.length < SHORTEST_SECRET ? text : text.replaceAll(apiKey, '[redacted]');
  return known
    .replaceAll(/\bsk-[\w*.-]{6,}/g, '[redacted]')
    .replaceAll(/\bBearer\s+[\w.~+/-]+=*/gi, 'Bearer [redacted]');
}

/** Upper bound on the requested wait, in milliseconds: a day. */
const MAX_RETRY_AFTER_MS = 86_400_000;

/**
 * Reads the requested wait in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as a date (RFC
 * 9110, 10.2.3). Undefined when there is none or it can't be parsed.
 */
export function retryAfterMs(headers: Headers | undefined, now: number): number | undefined {
  const exact = milliseconds(headers?.get('retry-after-ms'), 1);
  if (exact !== undefined) return exact;
  const value = headers?.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  const seconds = milliseconds(value, 1000);
  if (seconds !== undefined) return seconds;
  // Only an HTTP date: `Date.parse` would also read `-5` as a year.
  const at = /^[A-Za-z]/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : bounded(at - now);
}

function milliseconds(text: string | null | undefined, unit: number): number | undefined {
  return text != null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? bounded(Number(text) * unit) : undefined;
}

function bounded(ms: number): number {
  return Math.min(Math.max(Math.ceil(ms), 0), MAX_RETRY_AFTER_MS);
}
