import { addUsage, NO_USAGE, type Usage } from '@signalbox/core';
import { newNonce } from '../../untrusted/fence.ts';
import { askModel } from '../../model-requests/ask-model.ts';
import type { SessionContext } from '../session-context.ts';
import type { SessionParts } from '../session-parts.ts';
import { compressQuestion } from './compress-question.ts';
import type { CompressionOutcome, CompressionRequest } from './compression.ts';
import type { CompressionPlan } from './plan-compression.ts';
import {
  type CompressionBounds,
  planFor,
  boundsFor,
  type Compressed,
  countedTokens,
  withoutSummary,
  withSummary,
} from './shorten.ts';

/** Requests for a summary; after that results are cut. */
const TRIES = 2;

type Summarised = {
  readonly shortened: Compressed | null;
  /** Empty without one. */
  readonly summary: string;
  readonly usage: Usage;
  readonly costUsd: number | null;
};

const NOTHING: Summarised = { shortened: null, summary: '', usage: NO_USAGE, costUsd: null };

/**
 * Compresses the conversation of a session between two turns (B7).
 *
 * Earlier turns are replaced by a summary in a knowledge block. If no summary can be made, results are cut; if that is
 * not possible either, the conversation stays as it is. The session goes on in any case, and its transcript keeps
 * everything.
 */
export async function compressContext(
  context: SessionContext,
  { method, reason }: CompressionRequest,
  parts: SessionParts,
): Promise<CompressionOutcome> {
  const { options, journal, logger, ofSession, stop } = parts;
  const isRefused = context.lastTurn?.kind === 'failed' && context.lastTurn.error === 'ContextTooLong';
  const room = boundsFor(context, { ...options.compression, isRefused });
  const plan = planFor(context, room);
  const summarised = plan === null ? NOTHING : await summarise(context, plan, { parts, room });
  const nonce = newNonce(options.random);
  const shortened =
    summarised.shortened ?? (stop.aborted ? null : withoutSummary(context, plan, { nonce, room }));
  const messages = shortened?.messages ?? context.messages;
  const how = shortened === null ? 'none' : summarised.shortened === null ? 'cut' : 'summary';
  const kept = new Set(messages);
  const report = {
    method,
    how,
    reason: options.redact(reason),
    removed: context.messages.filter((message) => !kept.has(message)).length,
    beforeTokens: countedTokens(context, context.messages),
    afterTokens: countedTokens(context, messages),
  } as const;
  logger.info(report, 'conversation compressed');
  await journal.tell({
    type: 'context_compressed',
    ...ofSession,
    turn: context.turn,
    summary: summarised.summary,
    ...report,
  });
  const { usage, costUsd } = summarised;
  return { messages, afterTokens: report.afterTokens, usage, costUsd };
}

/** Asks for a summary, at most twice. The answer is somebody else's text: redacted here, fenced in its block. */
async function summarise(
  context: SessionContext,
  plan: CompressionPlan,
  { parts, room }: { readonly parts: SessionParts; readonly room: CompressionBounds },
): Promise<Summarised> {
  const { options, journal, ofSession, stop, logger } = parts;
  const { model: opened, contextTokens } = options.compression;
  const { text, ...rest } = compressQuestion(
    { task: options.task, turns: plan.removed },
    { nonce: newNonce(options.random), asked: opened.contextTokens, own: contextTokens },
  );
  const question = { ...rest, text: options.redact(text) };
  let { usage, costUsd } = NOTHING;
  for (let tries = 1; tries <= TRIES; tries++) {
    if (stop.aborted || options.budget.isSpent()) break;
    const answer = await askModel({ opened, question }, { ...options, journal, ofSession, signal: stop });
    usage = addUsage(usage, answer.usage);
    costUsd = answer.costUsd === null ? costUsd : (costUsd ?? 0) + answer.costUsd;
    if (answer.kind === 'answered') {
      const summary = options.redact(answer.text);
      const shortened = withSummary(context, plan, { summary, nonce: newNonce(options.random), room });
      if (shortened !== null) return { shortened, summary, usage, costUsd };
    }
    const why = answer.kind === 'failed' ? options.redact(answer.message) : 'it is not shorter';
    logger.warn({ tries, why }, 'no summary of the conversation');
  }
  return { ...NOTHING, usage, costUsd };
}
