import type { JsonObject, Message, TurnRequest } from '@signalbox/core';
import type { AllChatQuirks } from './chat-quirks.ts';
import { toChatAssistant } from './native-chat.ts';

/** The body of a streamed request to `/chat/completions`. */
export function toChatBody(request: TurnRequest, quirks: AllChatQuirks): JsonObject {
  const offers = request.tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }));
  return {
    model: request.model,
    stream: true,
    ...(quirks.streamUsage ? { stream_options: { include_usage: true } } : {}),
    messages: request.messages.flatMap((message) => toChatMessages(message, quirks)),
    ...(request.maxOutputTokens === undefined ? {} : { [quirks.maxTokensField]: request.maxOutputTokens }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(offers.length === 0 ? {} : { tools: offers }),
    ...(offers.length === 0 || quirks.parallelToolCalls === null
      ? {}
      : { parallel_tool_calls: quirks.parallelToolCalls }),
  };
}

function toChatMessages(message: Message, quirks: AllChatQuirks): JsonObject[] {
  switch (message.role) {
    case 'system':
    case 'user':
      return [{ role: message.role, content: message.text }];
    case 'assistant':
      return [toChatAssistant(message, quirks)];
    case 'tool':
      return message.results.map(({ callId, text }) => ({
        role: 'tool',
        tool_call_id: callId,
        content: text,
      }));
  }
}
