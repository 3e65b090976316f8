import type { ScriptedTurn } from '@signalbox/core/testing';
import { sendFrames, sendJson, saySilence, type FaultAnswer } from './fault-server.ts';

/** A `chat.completion.chunk` with this delta. */
export function chatChunk(delta: Record<string, unknown>, finishReason: string | null = null): string {
  return dataFrame({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'some-model',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  });
}

export function dataFrame(data: unknown): string {
  return `data: ${JSON.stringify(data)}`;
}

export const CHAT_DONE = 'data: [DONE]';

const FINISH = {
  end: 'stop',
  tools: 'tool_calls',
  length: 'length',
  refused: 'content_filter',
  paused: 'stop',
};

/** Answers a scripted turn the way OpenAI does. */
export function chatAnswer(turn: ScriptedTurn): FaultAnswer {
  switch (turn.kind) {
    case 'rate-limited':
      return sendJson(
        429,
        { error: { message: 'Slow down', type: 'requests', code: 'rate_limit_exceeded' } },
        { 'retry-after-ms': String(turn.retryAfterMs) },
      );
    case 'server-error':
      return sendJson(500, { error: { message: 'Internal error', type: 'server_error' } });
    case 'truncated':
      return sendFrames([chatChunk({ role: 'assistant', content: turn.text })]);
    case 'stall':
      return turn.text === '' ? saySilence : sendFrames([chatChunk({ content: turn.text })], 'stall');
    case 'answer':
      return sendFrames([...answerFrames(turn), CHAT_DONE]);
  }
}

function answerFrames(turn: Extract<ScriptedTurn, { kind: 'answer' }>): string[] {
  const calls = turn.calls ?? [];
  const stop = turn.stop ?? (calls.length > 0 ? 'tools' : 'end');
  const usage = turn.usage;
  return [
    chatChunk({ role: 'assistant', content: '' }),
    ...(turn.reasoning === undefined ? [] : [chatChunk({ reasoning_content: turn.reasoning })]),
    ...(turn.text?.match(/[\s\S]{1,7}/g) ?? []).map((content) => chatChunk({ content })),
    ...calls.flatMap(({ id, name, argsText }, index) => [
      chatChunk({
        tool_calls: [
          { index, ...(id === undefined ? {} : { id }), type: 'function', function: { name, arguments: '' } },
        ],
      }),
      ...(argsText.match(/[\s\S]{1,5}/g) ?? []).map((piece) =>
        chatChunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    chatChunk({}, FINISH[stop]),
    ...(usage === undefined
      ? []
      : [
          dataFrame({
            object: 'chat.completion.chunk',
            choices: [],
            usage: {
              prompt_tokens: usage.inputTokens,
              completion_tokens: usage.outputTokens,
              total_tokens: usage.inputTokens + usage.outputTokens,
              prompt_tokens_details: {
                cached_tokens: usage.cachedInputTokens,
                cache_write_tokens: usage.cacheWriteTokens,
              },
              completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
            },
          }),
        ]),
  ];
}
