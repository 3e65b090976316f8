import * as z from 'zod';

/** Where servers that speak Chat Completions differ. What is left out follows from the base URL. */
export const ChatQuirks = z
  .strictObject({
    /**
     * Sends an assistant's `reasoning_content` back with it, even an empty one. DeepSeek answers 400 without
     * it; others answer 400 with it. Default false.
     */
    echoReasoning: z.boolean().optional(),
    /** Default: the newer name at OpenAI and Azure, whose reasoning models refuse the older; elsewhere the older. */
    maxTokensField: z.enum(['max_completion_tokens', 'max_tokens']).optional(),
    /** Asks for the usage of a streamed turn. Default true. */
    streamUsage: z.boolean().optional(),
    /**
     * Whether a turn may hold several calls; `null` leaves the field out. Default: left out at OpenAI and
     * Azure, where it is so anyway and some models refuse the field; elsewhere true, as llama.cpp wants it.
     */
    parallelToolCalls: z.boolean().nullable().optional(),
    /**
     * Sends our notes on a call as parts of their own. Default: true at OpenAI and Azure; elsewhere they come after
     * the text, marked as ours, since some servers (DeepSeek) take a tool's answer as one text alone.
     */
    contentParts: z.boolean().optional(),
    /** More headers of every request. */
    headers: z.record(z.string(), z.string()).readonly().optional(),
  })
  .readonly();
export type ChatQuirks = z.infer<typeof ChatQuirks>;

/** The same with nothing left open. */
export type AllChatQuirks = { readonly [Key in keyof ChatQuirks]-?: Exclude<ChatQuirks[Key], undefined> };

export function chatQuirksAt(baseUrl: string, quirks: ChatQuirks = {}): AllChatQuirks {
  const atOpenAI = /(^|\.)(openai|azure)\.com$/.test(new URL(baseUrl).hostname);
  return {
    echoReasoning: quirks.echoReasoning ?? false,
    maxTokensField: quirks.maxTokensField ?? (atOpenAI ? 'max_completion_tokens' : 'max_tokens'),
    streamUsage: quirks.streamUsage ?? true,
    parallelToolCalls:
      quirks.parallelToolCalls === undefined ? (atOpenAI ? null : true) : quirks.parallelToolCalls,
    contentParts: quirks.contentParts ?? atOpenAI,
    headers: quirks.headers ?? {},
  };
}
