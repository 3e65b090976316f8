import type { Message } from '@signalbox/core';
import type { SessionContext } from '../session-context.ts';
import { callsOf } from '../turn-outcome.ts';
import { nextRequestTokens, tokensOf } from './context-size.ts';
import { cutResults } from './cut-results.ts';
import { knowledgeText } from './knowledge.ts';
import { compressed, type CompressionPlan, planCompression } from './plan-compression.ts';

/** Shares of the available context that a compressed conversation should have, and has at most. */
const TARGET_SHARE = 0.5;
const MOST_SHARE = 0.6;

/**
 * How much should remain of a conversation, and how much may, in tokens by our own estimate; infinite where nobody has
 * said how much its model takes.
 */
export type CompressionBounds = { readonly target: number; readonly most: number };

export type Compressed = {
  readonly messages: readonly Message[];
  /** Null without one. */
  readonly knowledge: string | null;
};

/** @param isRefused the provider has refused the present conversation: it may take less than the settings say */
export function boundsFor(
  context: SessionContext,
  { contextTokens, isRefused }: { readonly contextTokens: number | null; readonly isRefused: boolean },
): CompressionBounds {
  const known = contextTokens ?? Number.POSITIVE_INFINITY;
  const room = isRefused ? Math.min(known, countedTokens(context, context.messages)) : known;
  const scale = countedTokens(context, context.messages) / tokensOf(context.messages);
  return { target: (room * TARGET_SHARE) / scale, most: (room * MOST_SHARE) / scale };
}

export function planFor(context: SessionContext, { target }: CompressionBounds): CompressionPlan | null {
  return planCompression(context, target);
}

/** With a summary; null if that is not shorter. */
export function withSummary(
  context: SessionContext,
  plan: CompressionPlan,
  {
    summary,
    nonce,
    room,
  }: { readonly summary: string; readonly nonce: string; readonly room: CompressionBounds },
): Compressed | null {
  const shortened = withKnowledge(context, plan, { summary, nonce });
  return tokensOf(shortened.messages) < tokensOf(context.messages)
    ? { ...shortened, messages: within(context, shortened.messages, room) }
    : null;
}

/**
 * Without a summary: results of earlier turns are cut first, then these turns are removed, then results of the last
 * turns are cut. Null if nothing could be removed.
 */
export function withoutSummary(
  context: SessionContext,
  plan: CompressionPlan | null,
  { nonce, room }: { readonly nonce: string; readonly room: CompressionBounds },
): Compressed | null {
  const size = tokensOf(context.messages);
  const cut = cutResults(context.messages, {
    calls: context.calls,
    tokens: plan === null ? 0 : size - Math.min(room.target, size / 2),
    keepTurns: plan?.kept.length ?? 1,
  });
  const isEnough = plan === null || tokensOf(cut) <= room.most;
  const shortened = isEnough
    ? { messages: cut, knowledge: null }
    : withKnowledge(context, plan, { summary: null, nonce });
  const messages = within(context, shortened.messages, room);
  return tokensOf(messages) < tokensOf(context.messages) ? { ...shortened, messages } : null;
}

function withKnowledge(
  context: SessionContext,
  plan: CompressionPlan,
  { summary, nonce }: { readonly summary: string | null; readonly nonce: string },
): Compressed {
  const ids = new Set(plan.removed.flatMap(({ assistant }) => callsOf(assistant).map(({ id }) => id)));
  const calls = context.calls.filter(({ callId }) => ids.has(callId));
  const knowledge = knowledgeText({ summary, turns: plan.removed.length, calls, nonce });
  return { knowledge, messages: compressed(plan, knowledge) };
}

/** Last resort: cuts results of the last turns, too. */
function within(
  context: SessionContext,
  messages: readonly Message[],
  { target, most }: CompressionBounds,
): readonly Message[] {
  const size = tokensOf(messages);
  return size <= most
    ? messages
    : cutResults(messages, { calls: context.calls, tokens: size - target, keepTurns: 0 });
}

/** What the provider counted of the conversation, in the proportion of our own estimates. */
export function countedTokens(context: SessionContext, messages: readonly Message[]): number {
  const counted = nextRequestTokens(context.messages, context.size);
  return Math.round(counted * (tokensOf(messages) / tokensOf(context.messages)));
}
