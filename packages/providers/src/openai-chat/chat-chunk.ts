import * as z from 'zod';

const count = z.number().nullish();

/** A delta of a call. The first has id and name, later ones carry more of the arguments. */
export const CallDelta = z.looseObject({
  index: z.number().nullish(),
  id: z.string().nullish(),
  function: z
    .looseObject({
      name: z.string().nullish(),
      /** Text in pieces; Ollama has sent whole objects. */
      arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    })
    .nullish(),
});
export type CallDelta = z.infer<typeof CallDelta>;

/** The fields we use of a `chat.completion.chunk`. Lenient: servers omit fields and add their own. */
export const ChatChunk = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        delta: z
          .looseObject({
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            /** DeepSeek, vLLM, llama.cpp. */
            reasoning_content: z.string().nullish(),
            /** Ollama, OpenRouter. */
            reasoning: z.string().nullish(),
            tool_calls: z.array(CallDelta).nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z
    .looseObject({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.looseObject({ cached_tokens: count, cache_write_tokens: count }).nullish(),
      completion_tokens_details: z.looseObject({ reasoning_tokens: count }).nullish(),
      /** DeepSeek's name for cached tokens. */
      prompt_cache_hit_tokens: count,
    })
    .nullish(),
});
export type ChatChunk = z.infer<typeof ChatChunk>;
