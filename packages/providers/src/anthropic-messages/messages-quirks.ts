import * as z from 'zod';

/** Differences between servers of the Messages API. The defaults fit Anthropic. */
export const MessagesQuirks = z
  .strictObject({
    /** `max_tokens` when the request sets no limit; the API requires one. Default 8,192. */
    maxOutputTokens: z.int().positive().default(8192),
    /** Marks the last tool and the last system block for the prompt cache. Default true. */
    cacheControl: z.boolean().default(true),
    /** Whether a turn may hold several calls. Default true. */
    parallelToolCalls: z.boolean().default(true),
    /** Extra headers for every request; `anthropic-version: 2023-06-01` for servers that know no newer version. */
    headers: z.record(z.string(), z.string()).readonly().default({}),
  })
  .readonly();
export type MessagesQuirks = z.infer<typeof MessagesQuirks>;
