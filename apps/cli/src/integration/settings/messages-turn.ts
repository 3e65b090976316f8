import type { ScriptedAnswer } from './model-server.ts';

/** A turn of the Messages API that says this, or makes one call. */
export function messagesTurn(
  block: Readonly<{ text: string } | { name: string; args: object }>,
  { inputTokens = 10 }: Readonly<{ inputTokens?: number }> = {},
): ScriptedAnswer {
  const isCall = 'name' in block;
  const content = isCall
    ? { type: 'tool_use', id: `toolu_${block.name}_${nextId++}`, name: block.name, input: {} }
    : { type: 'text', text: '' };
  const delta = isCall
    ? { type: 'input_json_delta', partial_json: JSON.stringify(block.args) }
    : { type: 'text_delta', text: block.text };
  const events = [
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: inputTokens, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: content },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: isCall ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 1 },
    },
    { type: 'message_stop' },
  ];
  return { pieces: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`) };
}

let nextId = 1;
