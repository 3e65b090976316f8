import * as z from 'zod';

/** Differences between servers of the Chat Completions API. Defaults depend on the base URL. */
export const ChatQuirks = z
  .strictObject({
    /**
     * Sends `reasoning_content` back with an assistant message, even when empty. DeepSeek answers 400 without
     * it, other servers answer 400 with it. Default false.
     */
    echoReasoning: z.boolean().optional(),
    /**
     * Default: `max_completion_tokens` at OpenAI and Azure, whose reasoning models reject `max_tokens`;
     * `max_tokens` elsewhere.
     */
    maxTokensField: z.enum(['max_completion_tokens', 'max_tokens']).optional(),
    /** Requests the token usage of a streamed turn. Default true. */
    streamUsage: z.boolean().optional(),
    /**
     * Whether a turn may hold several calls; `null` omits the field. Default: omitted at OpenAI and Azure,
     * where true is the default and some models reject the field; elsewhere true, which llama.cpp needs.
     */
    parallelToolCalls: z.boolean().nullable().optional(),
    /**
     * Sends our notes on a call as separate content parts. Default: true at OpenAI and Azure. Elsewhere notes
     * follow the text, marked as ours, since some servers (DeepSeek) accept a tool result only as a single
     * text.
     */
    contentParts: z.boolean().optional(),
    /** Extra headers for every request. */
    headers: z.record(z.string(), z.string()).readonly().optional(),
  })
  .readonly();
export type ChatQuirks = z.infer<typeof ChatQuirks>;

/** The quirks with every default applied. */
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
