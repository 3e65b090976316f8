import * as z from 'zod';

/** Where servers that speak Anthropic's Messages differ. The defaults fit Anthropic. */
export const MessagesQuirks = z
  .strictObject({
    /** Every request must bound its output; this holds where the request doesn't. Default 8,192. */
    maxOutputTokens: z.int().positive().default(8192),
    /** Marks the last tool and the last system block for the prompt cache. Default true. */
    cacheControl: z.boolean().default(true),
    /** Whether a turn may hold several calls. Default true. */
    parallelToolCalls: z.boolean().default(true),
    /** More headers of every request; `anthropic-version: 2023-06-01` for servers that know no newer one. */
    headers: z.record(z.string(), z.string()).readonly().default({}),
  })
  .readonly();
export type MessagesQuirks = z.infer<typeof MessagesQuirks>;
