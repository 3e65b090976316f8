import { ProviderError, type ProviderErrorKind } from '@signalbox/core';
import type { ErrorFacts } from './error-facts.ts';
import { redactKey } from './redact-key.ts';
import { retryAfterMs } from './retry-after.ts';

/** Proxies send long error pages. */
const MAX_MESSAGE_LENGTH = 500;

/**
 * Converts the facts of an SDK error. The original is not kept as `cause`: it holds the server's text, which
 * may contain the key.
 */
export function toProviderError(
  facts: ErrorFacts,
  context: { providerId: string; apiKey: string; sawOutput: boolean; now: number },
): ProviderError {
  const text = facts.message.replaceAll(/\s+/g, ' ').slice(0, MAX_MESSAGE_LENGTH);
  return new ProviderError(
    kindOf(facts),
    redactKey(`Cannot get a turn from "${context.providerId}": ${text}`, context.apiKey),
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
      word(facts, /^(context_length_exceeded|exceed_context_size_error)$/) ||
      (isBadRequest(facts) &&
        /prompt is too long|(maximum|available) context|context (length|size|window) (is )?exceeded|exceeds? the .{0,30}context/i.test(
          facts.message,
        )),
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
      (facts.status !== undefined && facts.status >= 400) ||
      word(facts, /^(invalid_request_error|not_found_error|request_too_large)$/),
  },
  // An error event in the stream has no status.
  { kind: 'ServerError', when: (facts) => facts.type !== undefined || facts.code !== undefined },
];

function kindOf(facts: ErrorFacts): ProviderErrorKind {
  return ROWS.find(({ when }) => when(facts))?.kind ?? 'Protocol';
}
