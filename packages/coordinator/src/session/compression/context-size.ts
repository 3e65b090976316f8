import { estimateTokens, type Message, type Usage } from '@signalbox/core';

/** Size of a conversation, as far as it is known: its first `messages` have about this many tokens. */
export type ContextSize = { readonly tokens: number; readonly messages: number };

/** A call and a message cost a few tokens besides their text. */
const TOKENS_PER_PART = 8;

/** After a turn: what the provider counted of its request and answer. A server that counts nothing leaves an estimate. */
export function sizeAfterTurn(messages: readonly Message[], usage: Usage): ContextSize {
  const counted = usage.inputTokens + usage.outputTokens;
  return { tokens: counted > 0 ? counted : tokensOf(messages), messages: messages.length };
}

/** Estimated tokens of the next request: what is known, and the messages added since then. */
export function nextRequestTokens(messages: readonly Message[], size: ContextSize): number {
  return size.tokens + tokensOf(messages.slice(size.messages));
}

export function tokensOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + tokensOfMessage(message), 0);
}

function tokensOfMessage(message: Message): number {
  switch (message.role) {
    case 'system':
    case 'user':
      return TOKENS_PER_PART + estimateTokens(message.text);
    case 'assistant':
      return message.parts.reduce(
        (sum, part) =>
          sum +
          TOKENS_PER_PART +
          (part.kind === 'call'
            ? estimateTokens(part.call.name) + estimateTokens(part.call.argsText)
            : estimateTokens(part.text)),
        0,
      );
    case 'tool':
      return message.results.reduce(
        (sum, { text, notes = [] }) =>
          sum + TOKENS_PER_PART + [text, ...notes].reduce((all, one) => all + estimateTokens(one), 0),
        0,
      );
  }
}
