import type { CompressionMethod, Message, ToolOffer, Usage } from '@signalbox/core';
import type { OpenedModel } from '../../model-requests/ask-model.ts';

/** How the conversation of a session is compressed. */
export type CompressionOptions = {
  /** Writes the summary: the session's own model, or that of `agent.compress_provider`. */
  readonly model: OpenedModel;
  /** Tokens that the session's own context holds; null: unknown, and only a refused turn triggers it. */
  readonly contextTokens: number | null;
  /** Share of the context from which on it is compressed; null: only a refused turn triggers it. */
  readonly at: number | null;
  /** The tool by which its model requests it, sent with all others; null: none. */
  readonly offer: ToolOffer | null;
};

/** A compression that has not begun. */
export type CompressionRequest = {
  readonly method: CompressionMethod;
  /** In words, for people: `requested by ana`. */
  readonly reason: string;
};

/** The conversation after a compression, and what it took. */
export type CompressionOutcome = {
  readonly messages: readonly Message[];
  readonly afterTokens: number;
  /** Of the requests for the summary. */
  readonly usage: Usage;
  readonly costUsd: number | null;
};

/** The last turns stay as they are: what the model is working on. */
export const KEPT_TURNS = 3;
