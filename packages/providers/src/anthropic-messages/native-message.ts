import type { AssistantMessage, JsonObject } from '@signalbox/core';
import * as z from 'zod';
import { toArgsObject } from '../turn/args-object.ts';

const API = 'anthropic-messages';

/** The blocks as received, signatures included. The session stores them as opaque data. */
const NativeMessage = z.looseObject({
  api: z.literal(API),
  blocks: z.array(z.looseObject({ type: z.string() })),
});

export function toNativeMessage(blocks: readonly Readonly<Record<string, unknown>>[]): {
  api: typeof API;
  blocks: readonly Readonly<Record<string, unknown>>[];
} {
  return { api: API, blocks };
}

/**
 * Rebuilds the content of an assistant message from its blocks as received, without those the server would
 * reject: blank text, and thinking cut off before its signature.
 */
export function toAssistantContent(message: AssistantMessage): JsonObject[] {
  const native = NativeMessage.safeParse(message.native).data?.blocks as JsonObject[] | undefined;
  const inputs = new Map<unknown, JsonObject>();
  for (const part of message.parts) {
    if (part.kind === 'call') inputs.set(part.call.id, toArgsObject(part.call.argsText));
  }
  const blocks =
    native?.map((block) =>
      block['type'] === 'tool_use' ? { ...block, input: inputs.get(block['id']) ?? {} } : block,
    ) ?? message.parts.flatMap((part) => toBlock(part));
  const content = blocks.filter((block) => isAccepted(block));
  // The API rejects an empty message.
  return content.length > 0 ? content : [{ type: 'text', text: '(nothing)' }];
}

/** Converts a part from another API or provider. Its reasoning is dropped, as it has no valid signature here. */
function toBlock(part: AssistantMessage['parts'][number]): JsonObject[] {
  switch (part.kind) {
    case 'text':
      return [{ type: 'text', text: part.text }];
    case 'reasoning':
      return [];
    case 'call': {
      const { id, name, argsText } = part.call;
      return [{ type: 'tool_use', id, name, input: toArgsObject(argsText) }];
    }
  }
}

function isAccepted(block: JsonObject): boolean {
  if (block['type'] === 'text') return typeof block['text'] === 'string' && block['text'].trim() !== '';
  if (block['type'] === 'thinking')
    return typeof block['signature'] === 'string' && block['signature'] !== '';
  return true;
}
