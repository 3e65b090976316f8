import type { ServerResponse } from 'node:http';

/** What a recorded model answers in one turn. */
export type RecordedTurn = Readonly<{
  calls: readonly Readonly<{ id: string; tool: string; args: Readonly<Record<string, unknown>> }>[];
  /** Its reasoning before the answer; empty: none. */
  thinks: string;
  usage: Readonly<{ inputTokens: number; outputTokens: number }>;
}>;

const SAYS = 'Done.';

/** Answers as Chat Completions streams a turn. */
export function answerChat(response: ServerResponse, { calls, thinks, usage }: RecordedTurn): void {
  const toolCalls = calls.map(({ id, tool, args }, index) => ({
    index,
    id,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify(args) },
  }));
  const reasoning = thinks === '' ? {} : { reasoning_content: thinks };
  const delta = calls.length === 0 ? { content: SAYS } : { tool_calls: toolCalls };
  const counted = {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
  const chunks = [
    { choices: [{ index: 0, delta: { role: 'assistant', ...reasoning, ...delta }, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: calls.length === 0 ? 'stop' : 'tool_calls' }] },
    { choices: [], usage: counted },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const chunk of chunks) {
    const head = { id: 'x', object: 'chat.completion.chunk', created: 0, model: 'recorded' };
    response.write(`data: ${JSON.stringify({ ...head, ...chunk })}\n\n`);
  }
  response.end('data: [DONE]\n\n');
}

/** Answers as Anthropic's Messages streams a turn. */
export function answerMessages(response: ServerResponse, { calls, thinks, usage }: RecordedTurn): void {
  const blocks = [
    ...(thinks === ''
      ? []
      : [
          {
            block: { type: 'thinking', thinking: '', signature: '' },
            deltas: [
              { type: 'thinking_delta', thinking: thinks },
              { type: 'signature_delta', signature: 'signed' },
            ],
          },
        ]),
    ...calls.map(({ id, tool, args }) => ({
      block: { type: 'tool_use', id, name: tool, input: {} },
      deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(args) }],
    })),
    ...(calls.length > 0
      ? []
      : [{ block: { type: 'text', text: '' }, deltas: [{ type: 'text_delta', text: SAYS }] }]),
  ];
  const message = { id: 'x', type: 'message', role: 'assistant', model: 'recorded', content: [] };
  const stop = { stop_reason: calls.length === 0 ? 'end_turn' : 'tool_use', stop_sequence: null };
  const events = [
    { type: 'message_start', message: { ...message, usage: { input_tokens: usage.inputTokens } } },
    ...blocks.flatMap(({ block, deltas }, index) => [
      { type: 'content_block_start', index, content_block: block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: stop, usage: { output_tokens: usage.outputTokens } },
    { type: 'message_stop' },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}
