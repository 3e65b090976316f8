import type { AssistantMessage, Message, ToolOffer, ToolResult } from '@signalbox/core';
import * as z from 'zod';

const FENCE = '```';
const API = 'prompt-tools';

const NativePrompt = z.looseObject({ api: z.literal(API), native: z.unknown(), text: z.string() });

/** The wrapped provider's message with the calls still in the text. Sent back unchanged. */
export function toNativePrompt(inner: AssistantMessage): unknown {
  return { api: API, native: inner.native, text: textOf(inner) };
}

/** Builds the part of the system prompt that describes the tools. */
function describeTools(tools: readonly ToolOffer[]): string {
  const list = tools.map(({ name, description, inputSchema }) =>
    JSON.stringify({ name, description, arguments: inputSchema }),
  );
  return [
    'You can call tools. To call one, write a block like this, with the JSON on lines of its own:',
    '',
    `${FENCE}tool_call`,
    '{"name": "TOOL", "arguments": {"KEY": "VALUE"}}',
    FENCE,
    '',
    'Write one block for each call; several calls in one answer run at the same time. After your last block',
    `stop and wait: the results come in the next message as ${FENCE}tool_result blocks. Never write such a`,
    'block yourself. When you need no more tools, answer without a block.',
    '',
    'The tools, one a line, with the JSON Schema of their arguments:',
    ...list,
  ].join('\n');
}

/** Turns calls and results into text, for a model without tool calling. */
export function toPlainMessages(messages: readonly Message[], tools: readonly ToolOffer[]): Message[] {
  /** Tool name by call id. Results name the tool, as the model may not know an id it did not choose. */
  const toolOf = new Map<string, string>();
  const plain = messages.map((message): Message => {
    if (message.role === 'assistant') {
      for (const part of message.parts) if (part.kind === 'call') toolOf.set(part.call.id, part.call.name);
      return toPlainAssistant(message);
    }
    if (message.role === 'tool') {
      const blocks = message.results.map((result) => toBlock(result, toolOf.get(result.callId)));
      return { role: 'user', text: blocks.join('\n\n') };
    }
    return message;
  });
  if (tools.length === 0) return plain;
  const first = plain[0];
  const described = describeTools(tools);
  return first?.role === 'system'
    ? [{ role: 'system', text: `${first.text}\n\n${described}` }, ...plain.slice(1)]
    : [{ role: 'system', text: described }, ...plain];
}

function toPlainAssistant(message: AssistantMessage): AssistantMessage {
  const native = NativePrompt.safeParse(message.native).data;
  if (native !== undefined) {
    return { role: 'assistant', parts: [{ kind: 'text', text: native.text }], native: native.native };
  }
  const text = message.parts.flatMap((part) => {
    if (part.kind === 'text') return [part.text];
    if (part.kind === 'reasoning') return [];
    const { id, name, argsText } = part.call;
    return [`${FENCE}tool_call\n${JSON.stringify({ id, name, arguments: argsText })}\n${FENCE}`];
  });
  return { role: 'assistant', parts: [{ kind: 'text', text: text.join('\n') }] };
}

/** Renders a result as JSON on one line, so that its content can't end the block or begin another. */
function toBlock({ callId, text, isError, notes }: ToolResult, tool: string | undefined): string {
  const result = { id: callId, tool, error: isError, result: text, notes };
  return `${FENCE}tool_result\n${JSON.stringify(result)}\n${FENCE}`;
}

function textOf(message: AssistantMessage): string {
  return message.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
}
