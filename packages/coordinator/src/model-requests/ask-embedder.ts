import {
  type Clock,
  type Embedder,
  NO_USAGE,
  type ProviderId,
  type SessionId,
  type Vector,
} from '@signalbox/core';
import type { SessionJournal } from '../session/session-journal.ts';
import { costOf, type TokenPrices } from '../session/token-cost.ts';

/** A configured model of embeddings, ready for requests. */
export type OpenedEmbedder = {
  readonly id: ProviderId;
  readonly model: string;
  /** `null`: its cost is unknown. */
  readonly prices: TokenPrices | null;
  readonly embedder: Embedder;
};

/**
 * Asks for vectors once, and publishes what the request cost, also if it failed.
 *
 * @throws {ProviderError}
 */
export async function askEmbedder(
  { opened, texts }: { readonly opened: OpenedEmbedder; readonly texts: readonly string[] },
  caller: {
    readonly ofSession: { readonly sessionId: SessionId; readonly provider: ProviderId };
    readonly journal: SessionJournal;
    readonly clock: Pick<Clock, 'monotonic'>;
    /** Removes secrets from what is published. */
    readonly redact: (text: string) => string;
    readonly signal: AbortSignal;
  },
): Promise<readonly Vector[]> {
  const { ofSession, journal, clock, redact, signal } = caller;
  const startedAt = clock.monotonic();
  let inputTokens = 0;
  const tell = (failure: string | null): Promise<void> => {
    const usage = { ...NO_USAGE, inputTokens };
    return journal.tell({
      type: 'model_request_ended',
      ...ofSession,
      purpose: 'embed',
      asked: opened.id,
      model: opened.model,
      success: failure === null,
      message: redact(failure ?? ''),
      durationMs: clock.monotonic() - startedAt,
      usage,
      costUsd: costOf(usage, opened.prices),
    });
  };
  try {
    const onTokens = (count: number): void => void (inputTokens += count);
    const vectors = await opened.embedder.embed(texts, { signal, onTokens });
    await tell(null);
    return vectors;
  } catch (error) {
    await tell(error instanceof Error ? error.message : String(error));
    throw error;
  }
}
