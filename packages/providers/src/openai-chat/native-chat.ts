import type { AssistantMessage, JsonObject, ToolCall } from '@signalbox/core';
import * as z from 'zod';
import { toArgsObject } from '../turn/args-object.ts';
import type { AllChatQuirks } from './chat-quirks.ts';

const API = 'openai-chat';

/** The parts of an assistant message that only this API has. The session stores them as opaque data. */
const NativeChat = z.looseObject({
  api: z.literal(API),
  reasoning: z.string(),
  /** Unknown fields of each call, by call id. */
  extras: z.record(z.string(), z.record(z.string(), z.unknown())),
});

export function toNativeChat(turn: {
  text: string;
  reasoning: string;
  calls: readonly (ToolCall & { readonly extra: Readonly<Record<string, unknown>> })[];
}): z.infer<typeof NativeChat> {
  const extras = turn.calls.flatMap(({ id, extra }) =>
    Object.keys(extra).length > 0 ? [[id, { ...extra }] as const] : [],
  );
  return { api: API, reasoning: turn.reasoning, extras: Object.fromEntries(extras) };
}

/**
 * Converts an assistant message for sending it back. A message from another API has no native payload of ours
 * and is built from its parts.
 */
export function toChatAssistant(message: AssistantMessage, quirks: AllChatQuirks): JsonObject {
  const native = NativeChat.safeParse(message.native).data;
  const text = message.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
  const calls = message.parts.flatMap((part) => (part.kind === 'call' ? [part.call] : []));
  return {
    role: 'assistant',
    // The API requires content or calls.
    content: text === '' && calls.length > 0 ? null : text,
    ...(quirks.echoReasoning ? { reasoning_content: native?.reasoning ?? '' } : {}),
    ...(calls.length === 0
      ? {}
      : { tool_calls: calls.map((call) => toChatCall(call, native?.extras[call.id])) }),
  };
}

function toChatCall(call: ToolCall, extra: Record<string, unknown> = {}): JsonObject {
  return {
    ...(extra as JsonObject),
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: safeArgs(call.argsText) },
  };
}

/** Returns the text unchanged if it parses. Local servers reject a conversation with arguments that don't. */
function safeArgs(argsText: string): string {
  const args = toArgsObject(argsText);
  return argsText.trim() === '' || 'unreadable_arguments' in args ? JSON.stringify(args) : argsText;
}
