import type { ScriptedTurn } from '@signalbox/core/testing';
import { sendFrames, sendJson, saySilence, type FaultAnswer } from './fault-server.ts';

/** An event of Anthropic's stream. The format repeats its name. */
export function messageFrame(data: { readonly type: string } & Readonly<Record<string, unknown>>): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}`;
}

export function messageStart(usage: Record<string, unknown> = {}): string {
  return messageFrame({
    type: 'message_start',
    message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'some-model', content: [], usage },
  });
}

/** A whole content block: start, deltas, stop. */
export function blockFrames(
  index: number,
  block: unknown,
  { deltas }: Readonly<{ deltas: readonly unknown[] }>,
): string[] {
  return [
    messageFrame({ type: 'content_block_start', index, content_block: block }),
    ...deltas.map((delta) => messageFrame({ type: 'content_block_delta', index, delta })),
    messageFrame({ type: 'content_block_stop', index }),
  ];
}

export function messageEnd(
  stopReason: string,
  usage: Record<string, unknown> = { output_tokens: 1 },
): string[] {
  return [
    messageFrame({ type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage }),
    messageFrame({ type: 'message_stop' }),
  ];
}

const STOP = {
  end: 'end_turn',
  tools: 'tool_use',
  length: 'max_tokens',
  refused: 'refusal',
  paused: 'pause_turn',
};

/** Answers a scripted turn the way Anthropic does. */
export function messageAnswer(turn: ScriptedTurn): FaultAnswer {
  switch (turn.kind) {
    case 'rate-limited':
      return sendJson(
        429,
        { type: 'error', error: { type: 'rate_limit_error', message: 'Slow down' } },
        { 'retry-after': String(turn.retryAfterMs / 1000) },
      );
    case 'server-error':
      return sendJson(500, { type: 'error', error: { type: 'api_error', message: 'Internal error' } });
    case 'truncated':
      return sendFrames([messageStart(), ...textFrames(0, turn.text)]);
    case 'stall':
      return turn.text === ''
        ? saySilence
        : sendFrames([messageStart(), ...textFrames(0, turn.text)], 'stall');
    case 'answer':
      return sendFrames(answerFrames(turn));
  }
}

function answerFrames(turn: Extract<ScriptedTurn, { kind: 'answer' }>): string[] {
  const calls = turn.calls ?? [];
  const stop = turn.stop ?? (calls.length > 0 ? 'tools' : 'end');
  const usage = turn.usage;
  const blocks: ((index: number) => string[])[] = [];
  if (turn.reasoning !== undefined) blocks.push((index) => thinkingFrames(index, turn.reasoning ?? ''));
  if (turn.text !== undefined) blocks.push((index) => textFrames(index, turn.text ?? ''));
  for (const { id, name, argsText } of calls) {
    const block = { type: 'tool_use', ...(id === undefined ? {} : { id }), name, input: {} };
    const pieces = argsText.match(/[\s\S]{1,5}/g) ?? [];
    blocks.push((index) =>
      blockFrames(index, block, {
        deltas: pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
      }),
    );
  }
  return [
    messageStart(
      usage === undefined
        ? {}
        : {
            input_tokens: usage.inputTokens - usage.cachedInputTokens - usage.cacheWriteTokens,
            cache_read_input_tokens: usage.cachedInputTokens,
            cache_creation_input_tokens: usage.cacheWriteTokens,
            output_tokens: 1,
          },
    ),
    messageFrame({ type: 'ping' }),
    ...blocks.flatMap((block, index) => block(index)),
    ...messageEnd(STOP[stop], usage === undefined ? {} : { output_tokens: usage.outputTokens }),
  ];
}

export function textFrames(index: number, text: string): string[] {
  const pieces = text.match(/[\s\S]{1,7}/g) ?? [];
  return blockFrames(
    index,
    { type: 'text', text: '' },
    { deltas: pieces.map((piece) => ({ type: 'text_delta', text: piece })) },
  );
}

export function thinkingFrames(
  index: number,
  thinking: string,
  { signature = 'sig==' }: Readonly<{ signature?: string }> = {},
): string[] {
  return blockFrames(
    index,
    { type: 'thinking', thinking: '', signature: '' },
    {
      deltas: [
        { type: 'thinking_delta', thinking },
        ...(signature === '' ? [] : [{ type: 'signature_delta', signature }]),
      ],
    },
  );
}
