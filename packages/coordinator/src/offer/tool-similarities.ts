import type { Clock, Facts, Logger, Vector } from '@signalbox/core';
import { keepLatest } from '../keep-latest.ts';
import type { Candidate } from './filter-tools.ts';
import type { OfferRequest } from './offer.ts';
import { createToolEmbeddings, type ToolEmbedder } from './tool-embeddings.ts';
import { rankedText } from './tool-words.ts';
import { unitVector, vectorSimilarity } from './vector-similarity.ts';
import { within } from './within.ts';
import { wordSimilarities } from './word-similarity.ts';

/** How similar tools are to a query. */
export type ToolSimilarities = {
  /**
   * By tool, 0 to 1; one without an embedding is missing. Null when there is nothing to rank by: no words, no answer of
   * the embedding server in time. Never throws.
   */
  of(
    query: { readonly text: string; readonly ofSession?: OfferRequest['session'] },
    candidates: readonly Candidate[],
  ): Promise<ReadonlyMap<string, number> | null>;
  /** Stored embeddings; 0 where tools are ranked by words. */
  stored(): Promise<number>;
};

/** A turn waits no longer for embeddings; then it ranks by those that are there. */
const EMBED_WITHIN_MS = 5000;
/** For what follows the last answer, and for a server that ignores the abort. */
const GRACE_MS = 500;
/** After a failure the server is left alone for this long, so that not every turn waits for it. */
const AGAIN_AFTER_MS = 60_000;
/** Characters of a query: the models' own bounds are about 8,000 tokens. */
const MAX_QUERY = 4000;
/** Queries whose vector is kept. */
const MAX_QUERIES = 50;

/** Ranks by embeddings, or without an embedder by words. */
export function createToolSimilarities(parts: {
  readonly embedder: ToolEmbedder | null;
  readonly facts: Facts;
  readonly clock: Clock;
  readonly logger: Logger;
}): ToolSimilarities {
  const { embedder, clock, logger } = parts;
  if (embedder === null)
    return { of: async ({ text }, all) => similaritiesByWords(text, all), stored: async () => 0 };
  const embeddings = createToolEmbeddings({ ...parts, embedder });
  const queries = new Map<string, Vector>();
  let failedAt: number | undefined;
  let hasWarned = false;

  type Asking = { readonly signal: AbortSignal; readonly ofSession: OfferRequest['session'] };

  async function vectorOf(query: string, asking: Asking): Promise<Vector | null> {
    const known = queries.get(query);
    if (known !== undefined) return known;
    const [answer = []] = (await embedder?.embed([query], asking)) ?? [];
    const vector = unitVector(answer);
    if (vector !== null) keepLatest(queries, query, { value: vector, max: MAX_QUERIES });
    return vector;
  }

  async function ranked(
    { query, candidates }: { readonly query: string; readonly candidates: readonly Candidate[] },
    asking: Asking,
  ): Promise<ReadonlyMap<string, number>> {
    const texts = new Map(
      candidates.map(({ tool, definition }) => [tool.name, rankedText(tool, definition)]),
    );
    const all = [...texts.values()];
    const requested = embeddings.request(all, asking.ofSession);
    const wanted = await vectorOf(query, asking);
    if (wanted === null) throw new Error('the vector of the task is not usable');
    await Promise.race([requested, ended(asking.signal)]);
    const vectors = await embeddings.known(all);
    return new Map(
      [...texts].flatMap(([name, text]) => {
        const vector = vectors.get(text);
        const similarity = vector === undefined ? undefined : vectorSimilarity(wanted, vector);
        return similarity === undefined ? [] : [[name, similarity] as const];
      }),
    );
  }

  return {
    async of({ text, ofSession }, candidates) {
      const query = text.slice(-MAX_QUERY).trim();
      if (query === '') return null;
      if (failedAt !== undefined && clock.monotonic() - failedAt < AGAIN_AFTER_MS) return null;
      try {
        const work = (signal: AbortSignal) => ranked({ query, candidates }, { signal, ofSession });
        const similarities = await within(work, { clock, ms: EMBED_WITHIN_MS, graceMs: GRACE_MS });
        failedAt = undefined;
        hasWarned = false;
        return similarities;
      } catch (error) {
        failedAt = clock.monotonic();
        const warning = 'tools not ranked: sessions that start now are offered all of them';
        if (hasWarned) logger.debug({ error }, warning);
        else logger.warn({ error }, warning);
        hasWarned = true;
        return null;
      }
    },
    stored: () => embeddings.count(),
  };
}

/** The same by the words that task and tool share; null when they share none. */
export function similaritiesByWords(
  query: string,
  candidates: readonly Candidate[],
): ReadonlyMap<string, number> | null {
  const texts = candidates.map(({ tool, definition }) => rankedText(tool, definition));
  const similarities = wordSimilarities(query.slice(-MAX_QUERY), texts);
  if (similarities === null) return null;
  return new Map(candidates.map(({ tool }, index) => [tool.name, similarities[index] ?? 0]));
}

async function ended(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
