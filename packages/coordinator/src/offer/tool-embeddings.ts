import { createHash } from 'node:crypto';
import type { Clock, Embedder, Facts, Logger, Vector } from '@signalbox/core';
import type { OfferRequest } from './offer.ts';
import * as z from 'zod';
import { keepLatest } from '../keep-latest.ts';
import { hashOfText } from './tool-words.ts';
import { unitVector } from './vector-similarity.ts';
import { within } from './within.ts';

/** An embedder that may be told for which session it is asked. */
export type ToolEmbedder = {
  readonly id: Embedder['id'];
  embed(
    texts: readonly string[],
    options: { readonly signal: AbortSignal; readonly ofSession?: OfferRequest['session'] },
  ): ReturnType<Embedder['embed']>;
};

/** Embeddings of texts, kept in the store across restarts and shared by the coordinators of a workspace. */
export type ToolEmbeddings = {
  /** The vectors of length 1 that are known, by text. */
  known(texts: readonly string[]): Promise<ReadonlyMap<string, Vector>>;
  /** Requests the vectors of the others, in the background: one request at a time. Never rejects. */
  request(texts: readonly string[], ofSession: OfferRequest['session']): Promise<void>;
  /** How many are stored. */
  count(): Promise<number>;
};

/** The latest are kept: about 6 MB with 1,536 numbers each. */
const MAX_STORED = 500;
/** Other coordinators store theirs in the same fact. */
const TRIES = 3;
/** Texts per request: what is answered is stored, even if a slow server gets no further in time. */
const BATCH = 32;
const BATCH_WITHIN_MS = 30_000;
/** A text without a usable vector is not requested again; this many are remembered. */
const MAX_REFUSED = 1000;

/** 32-bit floats in base64, by the hash of the text. */
const Stored = z.record(z.string(), z.string());
type Stored = z.infer<typeof Stored>;

export function createToolEmbeddings(parts: {
  readonly embedder: ToolEmbedder;
  readonly facts: Facts;
  readonly clock: Clock;
  readonly logger: Logger;
}): ToolEmbeddings {
  const { embedder, facts, clock, logger } = parts;
  const fact = `tool-embeddings:${createHash('sha256').update(embedder.id).digest('base64url').slice(0, 16)}`;
  let loaded: Promise<Map<string, Vector>> | undefined;
  const refused = new Map<string, true>();
  let requesting: Promise<void> | undefined;

  /** Data of another version is ignored. */
  async function load(): Promise<Map<string, Vector>> {
    try {
      const stored = Stored.catch({}).parse(await facts.get(fact));
      return new Map(
        Object.entries(stored).flatMap(([hash, text]) => {
          const vector = fromBase64(text);
          return vector === null ? [] : [[hash, vector] as const];
        }),
      );
    } catch (error) {
      logger.warn({ error }, 'embeddings of tools not read; they are requested again');
      return new Map();
    }
  }

  async function store(added: ReadonlyMap<string, Vector>): Promise<void> {
    const written = [...added].map(([hash, vector]) => [hash, toBase64(vector)] as const);
    for (let tries = 0; tries < TRIES; tries++) {
      const before = await facts.get(fact);
      const others = Object.entries(Stored.catch({}).parse(before)).filter(([hash]) => !added.has(hash));
      const value = Object.fromEntries([...others, ...written].slice(-MAX_STORED));
      if (await facts.compareAndSet(fact, { expected: before, value })) return;
    }
    throw new Error('others write it all the time');
  }

  async function requestMissing(texts: readonly string[], ofSession: OfferRequest['session']): Promise<void> {
    const vectors = await (loaded ??= load());
    const missing = [...new Set(texts)].filter((text) => {
      const hash = hashOfText(text);
      return !vectors.has(hash) && !refused.has(hash);
    });
    for (let from = 0; from < missing.length; from += BATCH) {
      const batch = missing.slice(from, from + BATCH);
      const answered = await within((signal) => embedder.embed(batch, { signal, ofSession }), {
        clock,
        ms: BATCH_WITHIN_MS,
      });
      const added = new Map<string, Vector>();
      for (const [index, text] of batch.entries()) {
        const hash = hashOfText(text);
        const vector = unitVector(answered[index] ?? []);
        if (vector === null) keepLatest(refused, hash, { value: true, max: MAX_REFUSED });
        else added.set(hash, vector);
      }
      for (const [hash, vector] of added) keepLatest(vectors, hash, { value: vector, max: MAX_STORED });
      if (added.size > 0) await store(added);
    }
  }

  return {
    async known(texts) {
      const vectors = await (loaded ??= load());
      return new Map(
        texts.flatMap((text) => {
          const vector = vectors.get(hashOfText(text));
          return vector === undefined ? [] : [[text, vector] as const];
        }),
      );
    },
    request(texts, ofSession) {
      requesting ??= requestMissing(texts, ofSession)
        .catch((error: unknown) => logger.debug({ error }, 'embeddings of tools not complete'))
        .finally(() => (requesting = undefined));
      return requesting;
    },
    count: async () => (await (loaded ??= load())).size,
  };
}

function toBase64(vector: Vector): string {
  return Buffer.from(Float32Array.from(vector).buffer).toString('base64');
}

function fromBase64(text: string): Vector | null {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.length % Float32Array.BYTES_PER_ELEMENT !== 0) return null;
  const copy = new Uint8Array(bytes);
  return unitVector([...new Float32Array(copy.buffer)]);
}
