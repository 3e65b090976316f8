import { addUsage } from '@signalbox/core';
import { isCompressedLately, type SessionContext } from '../session-context.ts';
import type { CompressionOptions, CompressionOutcome, CompressionRequest } from './compression.ts';
import { nextRequestTokens } from './context-size.ts';

/** For a turn that its provider refused because the conversation is too long. */
export const REFUSED: CompressionRequest = {
  method: 'triggered',
  reason: 'its provider refused the conversation as too long',
};

/**
 * The compression to make before the next turn, if any: a requested one, or one for the size of the conversation.
 *
 * After each one the size triggers no other for as many turns as it keeps: a conversation whose last turns fill the
 * context must not be compressed at every turn.
 */
export function compressionDue(
  context: SessionContext,
  { contextTokens, at }: Pick<CompressionOptions, 'contextTokens' | 'at'>,
): CompressionRequest | null {
  const { compressionRequest, endedTurns } = context;
  if (compressionRequest !== null) return compressionRequest;
  // The last turn always stays.
  if (contextTokens === null || at === null || endedTurns < 2) return null;
  if (isCompressedLately(context)) return null;
  const received = context.inbox.map((text) => ({ role: 'user', text }) as const);
  const tokens = nextRequestTokens([...context.messages, ...received], context.size);
  if (tokens < contextTokens * at) return null;
  const share = Math.round((tokens / contextTokens) * 100);
  return {
    method: 'triggered',
    reason: `its next request would use ${share} % of the context of ${contextTokens} tokens`,
  };
}

/** Whether the turn was refused as too long, for the first time. */
export function isRefusedAsTooLong({ lastTurn, turn, shortenedTurn }: SessionContext): boolean {
  return lastTurn?.kind === 'failed' && lastTurn.error === 'ContextTooLong' && shortenedTurn !== turn;
}

export function noteCompression(
  context: SessionContext,
  { messages, afterTokens, usage, costUsd }: CompressionOutcome,
): Partial<SessionContext> {
  return {
    messages,
    size: { tokens: afterTokens, messages: messages.length },
    compressionRequest: null,
    compressedAt: context.endedTurns,
    usage: addUsage(context.usage, usage),
    costUsd: costUsd === null ? context.costUsd : (context.costUsd ?? 0) + costUsd,
  };
}
