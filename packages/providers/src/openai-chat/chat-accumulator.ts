import {
  NO_USAGE,
  ProviderError,
  type AssistantPart,
  type StopReason,
  type TurnEvent,
  type Usage,
} from '@signalbox/core';
import type { Accumulator } from '../turn/stream-turn.ts';
import { createChatCalls } from './chat-calls.ts';
import { ChatChunk } from './chat-chunk.ts';
import { toNativeChat } from './native-chat.ts';

/** Assembles one turn from its chunks. */
export function createChatAccumulator(nextId: (proposed: string | undefined) => string): Accumulator {
  const calls = createChatCalls(nextId);
  let text = '';
  let reasoning = '';
  let refusal = '';
  let usage: Usage = NO_USAGE;
  let finishReason: string | undefined;
  let chunks = 0;

  return {
    *accept(piece): Iterable<TurnEvent> {
      const chunk = ChatChunk.parse(piece);
      chunks += 1;
      if (chunk.usage != null) usage = usageOf(chunk.usage);
      const choice = chunk.choices?.[0];
      if (choice === undefined) return;
      finishReason = choice.finish_reason ?? finishReason;
      const delta = choice.delta ?? {};
      const thought = delta.reasoning_content ?? delta.reasoning ?? '';
      if (thought !== '') {
        reasoning += thought;
        yield { kind: 'reasoning', delta: thought };
      }
      refusal += delta.refusal ?? '';
      const words = (delta.content ?? '') + (delta.refusal ?? '');
      if (words !== '') {
        text += words;
        yield { kind: 'text', delta: words };
      }
      for (const call of delta.tool_calls ?? []) yield* calls.accept(call);
    },

    *end(): Iterable<TurnEvent> {
      if (finishReason === undefined) {
        throw new ProviderError(
          'Truncated',
          chunks === 0
            ? 'the answer is no stream of events'
            : 'the stream ended before it said why (no finish_reason)',
        );
      }
      // DeepSeek reports an overload in mid-stream this way.
      if (finishReason === 'insufficient_system_resource') {
        throw new ProviderError('ServerError', 'the server ran out of resources');
      }
      yield* calls.end();
      const list = calls.list();
      const parts: AssistantPart[] = [];
      if (reasoning !== '') parts.push({ kind: 'reasoning', text: reasoning });
      if (text !== '') parts.push({ kind: 'text', text });
      for (const { id, name, argsText } of list) parts.push({ kind: 'call', call: { id, name, argsText } });
      yield { kind: 'usage', usage };
      yield {
        kind: 'done',
        stop: refusal === '' ? stopOf(finishReason, list.length) : 'refused',
        assistant: { role: 'assistant', parts, native: toNativeChat({ text, reasoning, calls: list }) },
        usage,
      };
    },
  };
}

/** Maps the finish reason. Some servers send `stop` with calls or `tool_calls` without, so the calls decide. */
function stopOf(finishReason: string, calls: number): StopReason {
  if (finishReason === 'length') return 'length';
  if (finishReason === 'content_filter') return 'refused';
  return calls > 0 ? 'tools' : 'end';
}

function usageOf(usage: NonNullable<ChatChunk['usage']>): Usage {
  return {
    inputTokens: whole(usage.prompt_tokens),
    cachedInputTokens: whole(usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens),
    cacheWriteTokens: whole(usage.prompt_tokens_details?.cache_write_tokens),
    outputTokens: whole(usage.completion_tokens),
    reasoningTokens: whole(usage.completion_tokens_details?.reasoning_tokens),
  };
}

function whole(count: number | null | undefined): number {
  return Math.max(0, Math.trunc(count ?? 0));
}
