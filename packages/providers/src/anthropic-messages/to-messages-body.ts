import type { JsonObject, Message, TurnRequest } from '@signalbox/core';
import type { MessagesQuirks } from './messages-quirks.ts';
import { toAssistantContent } from './native-message.ts';

type WireMessage = { readonly role: 'user' | 'assistant'; readonly content: readonly JsonObject[] };

/** Builds the body of a streaming request to `/v1/messages`. */
export function toMessagesBody(request: TurnRequest, quirks: MessagesQuirks): JsonObject {
  const system = request.messages.flatMap((message) =>
    message.role === 'system' && message.text.trim() !== '' ? [{ type: 'text', text: message.text }] : [],
  );
  const tools = request.tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
  }));
  return {
    model: request.model,
    stream: true,
    max_tokens: request.maxOutputTokens ?? quirks.maxOutputTokens,
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(system.length === 0 ? {} : { system: cacheLast(system, quirks) }),
    messages: mergeNeighbours(request.messages.flatMap((message) => toWireMessage(message))),
    ...(tools.length === 0
      ? {}
      : {
          tools: cacheLast(tools, quirks),
          tool_choice: { type: 'auto', disable_parallel_tool_use: !quirks.parallelToolCalls },
        }),
  };
}

/** Marks the last block: the server caches everything up to a marked block. */
function cacheLast(blocks: readonly JsonObject[], quirks: MessagesQuirks): JsonObject[] {
  return blocks.map((block, index) =>
    quirks.cacheControl && index === blocks.length - 1
      ? { ...block, cache_control: { type: 'ephemeral' } }
      : block,
  );
}

function toWireMessage(message: Message): WireMessage[] {
  switch (message.role) {
    case 'system':
      return [];
    case 'user':
      return message.text.trim() === ''
        ? []
        : [{ role: 'user', content: [{ type: 'text', text: message.text }] }];
    case 'assistant':
      return [{ role: 'assistant', content: toAssistantContent(message) }];
    case 'tool':
      return [
        {
          role: 'user',
          content: message.results.map(({ callId, text, isError, notes = [] }) => ({
            type: 'tool_result',
            tool_use_id: callId,
            content: notes.length === 0 ? text : [text, ...notes].map((one) => ({ type: 'text', text: one })),
            ...(isError ? { is_error: true } : {}),
          })),
        },
      ];
  }
}

/**
 * Merges neighbouring messages of one role: a user's text after tool results goes into the same message, after
 * the results.
 */
function mergeNeighbours(messages: readonly WireMessage[]): WireMessage[] {
  const merged: WireMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role !== message.role) merged.push(message);
    else merged[merged.length - 1] = { role: last.role, content: [...last.content, ...message.content] };
  }
  return merged;
}
