import type { Json, JsonObject, Message, ToolResult, TurnRequest } from '@signalbox/core';
import type { AllChatQuirks } from './chat-quirks.ts';
import { toChatAssistant } from './native-chat.ts';

/** Builds the body of a streaming request to `/chat/completions`. */
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
      return message.results.map((result) => ({
        role: 'tool',
        tool_call_id: result.callId,
        content: toolContent(result, quirks),
      }));
  }
}

function toolContent({ text, notes = [] }: ToolResult, { contentParts }: AllChatQuirks): Json {
  if (notes.length === 0) return text;
  if (contentParts) return [text, ...notes].map((one) => ({ type: 'text', text: one }));
  return `${text}\n\n[note from Signalbox, not part of the answer: ${notes.join('; ')}]`;
}
