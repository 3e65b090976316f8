import * as z from 'zod';
import type { CommandResult } from './commands/result.ts';

/** What models were spared: tokens that they did not read, and calls that did not run again. */
export const Savings = z
  .strictObject({
    /** Estimated; each counts once, although a conversation is sent again in every later turn. */
    tokens: z
      .strictObject({
        /** Left out of outputs. */
        filters: z.int().min(0),
        /** Definitions of tools that the tool filter left out. */
        offers: z.int().min(0),
        /** Removed from conversations. */
        compressions: z.int().min(0),
      })
      .readonly(),
    /** Calls answered by the result of an earlier run. */
    calls: z.int().min(0),
    /** How long these runs took, in milliseconds. */
    ms: z.number().min(0),
  })
  .readonly();
export type Savings = z.infer<typeof Savings>;

export const NO_SAVINGS: Savings = {
  tokens: { filters: 0, offers: 0, compressions: 0 },
  calls: 0,
  ms: 0,
};

export function addSavings(one: Savings, other: Savings): Savings {
  return {
    tokens: {
      filters: one.tokens.filters + other.tokens.filters,
      offers: one.tokens.offers + other.tokens.offers,
      compressions: one.tokens.compressions + other.tokens.compressions,
    },
    calls: one.calls + other.calls,
    ms: one.ms + other.ms,
  };
}

/** All tokens of it. */
export function tokensSaved({ tokens }: Savings): number {
  return tokens.filters + tokens.offers + tokens.compressions;
}

export function hasSavings(saved: Savings): boolean {
  return saved.calls > 0 || tokensSaved(saved) > 0;
}

/** Of one command, by its result or the event of its end. */
export function savedByCall({
  filtered,
  reusedFrom,
}: Pick<CommandResult, 'filtered' | 'reusedFrom'>): Savings {
  return {
    tokens: { ...NO_SAVINGS.tokens, filters: filtered?.savedTokens ?? 0 },
    calls: Number(reusedFrom !== undefined),
    ms: reusedFrom?.durationMs ?? 0,
  };
}
