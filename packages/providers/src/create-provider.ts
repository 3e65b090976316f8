import type { Clock, Provider } from '@signalbox/core';
import * as z from 'zod';
import { createAnthropicMessages } from './anthropic-messages/anthropic-messages.ts';
import { MessagesQuirks } from './anthropic-messages/messages-quirks.ts';
import { ChatQuirks } from './openai-chat/chat-quirks.ts';
import { createOpenAIChat } from './openai-chat/openai-chat.ts';
import { createPromptTools } from './prompt-tools/prompt-tools.ts';
import { withoutThoughts } from './turn/without-thoughts.ts';

const common = {
  id: z.string().min(1),
  /** Default: the vendor's URL. */
  baseUrl: z.string().optional(),
  /** May be empty: local servers need no key. */
  apiKey: z.string().default(''),
  /** Default true. False describes the tools in the prompt, for models without tool calling (B5). */
  nativeTools: z.boolean().default(true),
};

/** How to reach one provider. The key comes from the environment, never from a file. */
export const ProviderOptions = z.discriminatedUnion('api', [
  z.strictObject({ ...common, api: z.literal('openai-chat'), quirks: ChatQuirks.optional() }).readonly(),
  z
    .strictObject({ ...common, api: z.literal('anthropic-messages'), quirks: MessagesQuirks.prefault({}) })
    .readonly(),
]);
export type ProviderOptions = z.infer<typeof ProviderOptions>;
/** The options before defaults are applied. */
export type ProviderOptionsInput = z.input<typeof ProviderOptions>;

/**
 * @throws {z.ZodError} for invalid options
 * @throws {UsageError} `bad-base-url`
 */
export function createProvider(
  options: ProviderOptionsInput,
  world: { readonly clock: Clock; readonly fetch?: typeof fetch },
): Provider {
  const checked = ProviderOptions.parse(options);
  const provider = createWire(checked, world);
  return withoutThoughts(checked.nativeTools ? provider : createPromptTools(provider));
}

function createWire(
  options: ProviderOptions,
  world: { readonly clock: Clock; readonly fetch?: typeof fetch },
): Provider {
  const { id, apiKey, baseUrl } = options;
  switch (options.api) {
    case 'openai-chat':
      return createOpenAIChat({ ...world, id, apiKey, baseUrl, quirks: options.quirks });
    case 'anthropic-messages':
      return createAnthropicMessages({ ...world, id, apiKey, baseUrl, quirks: options.quirks });
  }
}
