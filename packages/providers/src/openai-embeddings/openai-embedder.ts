import type { Clock, Embedder } from '@signalbox/core';
import * as z from 'zod';
import { createOpenAIClient, openaiErrorFacts } from '../openai-chat/openai-client.ts';
import { checkBaseUrl } from '../turn/base-url.ts';
import { boundedAnswers } from '../turn/bounded-answers.ts';
import { toProviderError } from '../turn/to-provider-error.ts';

export type OpenAIEmbedderOptions = {
  /** The provider's name, for messages. */
  readonly id: string;
  readonly model: string;
  /** May be empty: local servers need no key. */
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly clock: Pick<Clock, 'now'>;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
};

/** Texts per request: servers accept at least this many. */
const BATCH = 64;
/** Of a batch: 64 embeddings of 8192 numbers take about 12 MB. */
const MAX_ANSWER_BYTES = 32 * 1024 ** 2;

/** A server may answer in any order. Other fields are ignored. */
const Answer = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()) })),
  /** Local servers may leave it out. */
  usage: z
    .object({ prompt_tokens: z.int().min(0) })
    .optional()
    .catch(undefined),
});

/**
 * Embeddings of any server with `/embeddings` in OpenAI's format: OpenAI, Ollama, llama.cpp, vLLM.
 *
 * @throws {UsageError} `bad-base-url`
 */
export function createOpenAIEmbedder(options: OpenAIEmbedderOptions): Embedder {
  const { id, model, apiKey, clock } = options;
  const baseUrl = checkBaseUrl(id, options.baseUrl);
  const bounded = boundedAnswers(options.fetch ?? fetch, { maxBytes: MAX_ANSWER_BYTES });
  const client = createOpenAIClient({ apiKey, baseUrl, fetch: bounded });

  async function embedBatch(
    input: readonly string[],
    { signal, onTokens }: Parameters<Embedder['embed']>[1],
  ): Promise<readonly number[][]> {
    const answer = Answer.parse(
      await client.embeddings.create(
        // Without a format the SDK asks for base64, which local servers don't know.
        { model, input: [...input], encoding_format: 'float' },
        { signal },
      ),
    );
    onTokens?.(answer.usage?.prompt_tokens ?? 0);
    const byIndex = new Map(answer.data.map(({ index, embedding }) => [index, embedding]));
    return input.map((_, index) => byIndex.get(index) ?? []);
  }

  return {
    id: `${baseUrl} ${model}`,
    async embed(texts, asking) {
      const vectors: (readonly number[])[] = [];
      try {
        for (let from = 0; from < texts.length; from += BATCH)
          vectors.push(...(await embedBatch(texts.slice(from, from + BATCH), asking)));
      } catch (error) {
        const facts =
          error instanceof z.ZodError
            ? { message: 'its answer holds no embeddings' }
            : openaiErrorFacts(error);
        throw toProviderError(facts, {
          providerId: id,
          apiKey,
          sawOutput: false,
          now: clock.now(),
          wanted: 'embeddings',
        });
      }
      return vectors;
    },
  };
}
