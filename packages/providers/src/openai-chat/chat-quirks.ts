import * as z from 'zod';

/** Where servers that speak Chat Completions differ. The defaults fit OpenAI. */
export const ChatQuirks = z
  .strictObject({
    /**
     * Sends an assistant's `reasoning_content` back with it, even an empty one. DeepSeek answers 400 without
     * it; others answer 400 with it. Default false.
     */
    echoReasoning: z.boolean().default(false),
    /** Older and local servers know `max_tokens` only. */
    maxTokensField: z.enum(['max_completion_tokens', 'max_tokens']).default('max_completion_tokens'),
    /** Asks for the usage of a streamed turn. Default true. */
    streamUsage: z.boolean().default(true),
    /** Whether a turn may hold several calls; `null` leaves the field out. Default true. */
    parallelToolCalls: z.boolean().nullable().default(true),
    /** More headers of every request. */
    headers: z.record(z.string(), z.string()).readonly().default({}),
  })
  .readonly();
export type ChatQuirks = z.infer<typeof ChatQuirks>;
