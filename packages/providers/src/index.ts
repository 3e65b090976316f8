export {
  createAnthropicMessages,
  type AnthropicMessagesOptions,
} from './anthropic-messages/anthropic-messages.ts';
export { MessagesQuirks } from './anthropic-messages/messages-quirks.ts';
export { createProvider, ProviderOptions, type ProviderOptionsInput } from './create-provider.ts';
export { ChatQuirks } from './openai-chat/chat-quirks.ts';
export { createOpenAIChat, type OpenAIChatOptions } from './openai-chat/openai-chat.ts';
export { createOpenAIEmbedder, type OpenAIEmbedderOptions } from './openai-embeddings/openai-embedder.ts';
export { createPromptTools } from './prompt-tools/prompt-tools.ts';
