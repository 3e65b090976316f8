import {
  type Call,
  type Clock,
  type EventLog,
  findUnavailable,
  Json,
  type JsonObject,
  type Logger,
  type RandomBytes,
  type Redactor,
  redactsOnlyWords,
  SignalboxError,
  type Verdict,
} from '@signalbox/core';
import { askModel, type OpenedModel } from '../../model-requests/ask-model.ts';
import { createSessionJournal } from '../../session/session-journal.ts';
import type { GatedCall } from '../gate.ts';
import { judgeVerdict } from './judge-answer.ts';
import { judgedText, judgeQuestion, MAX_JUDGED_CHARS } from './judge-question.ts';

/** A judge's answer to one call. */
export type JudgeAnswer =
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny'; readonly policy: string }
  /** It was asked and gave no verdict. */
  | { readonly kind: 'unclear'; readonly why: string }
  /** Redaction would keep more than single words from it. */
  | { readonly kind: 'hidden' }
  /** The call is longer than what is judged. */
  | { readonly kind: 'too-large' }
  | { readonly kind: 'unavailable'; readonly why: string }
  /** Its budget is: many calls can bring that about, so it never lets one pass. */
  | { readonly kind: 'spent'; readonly why: string };

export type JudgeParts = {
  readonly events: Pick<EventLog, 'append'>;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly redactor: Pick<Redactor, 'redact' | 'redactJson'>;
  readonly logger: Logger;
  /** The shell line that a call runs, whether its arguments hold it or the settings; null for a call without one. */
  readonly lineOf: (call: Call) => string | null;
};

/** A request to the judge. */
export type JudgeRequest = {
  readonly policies: readonly string[];
  readonly open: () => Promise<OpenedModel>;
  /** In milliseconds. */
  readonly timeout: number;
  readonly spend: (costUsd: number) => void;
  readonly signal: AbortSignal;
};

/** A verdict is a word and a number; models that think first need more. */
const MAX_OUTPUT_TOKENS = 2048;
const MAX_ANSWER_CHARS = 2000;
/** A fence that no call can guess. */
const NONCE_BYTES = 16;

/** Asks the judge about one call, once. Never rejects. */
export async function askJudge(
  { call, verdict, context }: GatedCall,
  { policies, open, timeout, spend, signal }: JudgeRequest,
  parts: JudgeParts,
): Promise<JudgeAnswer> {
  const { events, clock, random, redactor, logger } = parts;
  const judged = judgedOf(call, verdict, parts);
  const redacted = redactor.redactJson(judged);
  if (!redactsOnlyWords(judged, redacted)) return { kind: 'hidden' };
  const text = judgedText(redacted);
  if (text.length > MAX_JUDGED_CHARS) return { kind: 'too-large' };
  let opened: OpenedModel;
  try {
    opened = await open();
  } catch (error) {
    logger.warn({ error }, 'judge not opened');
    return { kind: 'unavailable', why: whyOf(error) };
  }
  const nonce = Buffer.from(random(NONCE_BYTES)).toString('hex');
  const question = {
    purpose: 'judge',
    ...judgeQuestion(text, { policies, nonce }),
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    maxChars: MAX_ANSWER_CHARS,
    totalMs: timeout,
  } as const;
  const { sessionId, provider } = context;
  const answer = await askModel(
    { opened, question },
    {
      ofSession: { sessionId, provider },
      budget: { spend },
      journal: createSessionJournal(events, logger),
      clock,
      redact: redactor.redact,
      signal,
    },
  );
  if (answer.kind === 'failed') {
    const why = redactor.redact(answer.message);
    return { kind: answer.wasAsked ? 'unclear' : 'unavailable', why };
  }
  // An answer that was cut off, or goes on with a call, may have said more.
  if (answer.stop !== 'end') return { kind: 'unclear', why: 'its answer did not end by itself' };
  const found = judgeVerdict(answer.text, policies.length);
  if (found.kind === 'unclear')
    return { ...found, why: 'its answer was neither ALLOW nor DENY and a number' };
  return found.kind === 'deny' ? { kind: 'deny', policy: policies[found.index] ?? '' } : found;
}

function judgedOf(call: Call, verdict: Verdict, { lineOf }: Pick<JudgeParts, 'lineOf'>): JsonObject {
  const { tool, args } = call;
  const line = lineOf(call);
  const effects = Json.parse(verdict.effects);
  return { tool, args, ...(line === null || line === args['line'] ? {} : { line }), effects };
}

function whyOf(error: unknown): string {
  if (error instanceof SignalboxError) return error.message;
  return findUnavailable(error)?.message ?? 'it failed inside Signalbox';
}
