import { ProviderError, type StopReason, type TurnEvent, type Usage } from '@signalbox/core';
import type { Accumulator } from '../turn/stream-turn.ts';
import { createMessageBlocks } from './message-blocks.ts';
import { parseMessageEvent, type ProviderUsage } from './message-event.ts';
import { toNativeMessage } from './native-message.ts';

/** Assembles one turn from its events. */
export function createMessageAccumulator(nextId: (proposed: string | undefined) => string): Accumulator {
  const blocks = createMessageBlocks(nextId);
  let wireUsage: ProviderUsage = {};
  let stopReason: string | undefined;
  let ended = false;
  let events = 0;

  return {
    *accept(piece): Iterable<TurnEvent> {
      events += 1;
      const event = parseMessageEvent(piece);
      switch (event?.type) {
        case undefined:
          return;
        case 'message_start':
          wireUsage = { ...wireUsage, ...present(event.message.usage) };
          return;
        case 'content_block_start':
          yield* blocks.open(event.index, event.content_block);
          return;
        case 'content_block_delta':
          yield* blocks.add(event.index, event.delta);
          return;
        case 'message_delta':
          stopReason = event.delta.stop_reason ?? stopReason;
          // Usage is cumulative: the last value counts.
          wireUsage = { ...wireUsage, ...present(event.usage) };
          return;
        case 'message_stop':
          ended = true;
      }
    },

    *end(): Iterable<TurnEvent> {
      if (!ended || stopReason === undefined) {
        throw new ProviderError(
          'Truncated',
          events === 0 ? 'the answer is no stream of events' : 'the stream ended before message_stop',
        );
      }
      const usage = usageOf(wireUsage);
      yield { kind: 'usage', usage };
      yield {
        kind: 'done',
        stop: stopOf(stopReason, blocks.calls()),
        assistant: { role: 'assistant', parts: blocks.parts(), native: toNativeMessage(blocks.native()) },
        usage,
      };
    },
  };
}

function stopOf(stopReason: string, calls: number): StopReason {
  switch (stopReason) {
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'refusal':
      return 'refused';
    case 'pause_turn':
      return 'paused';
    default:
      return calls > 0 ? 'tools' : 'end';
  }
}

/** Drops null fields, so that they don't overwrite earlier values. */
function present(usage: ProviderUsage | null | undefined): ProviderUsage {
  return Object.fromEntries(Object.entries(usage ?? {}).filter(([, value]) => value != null));
}

/** Anthropic counts cached input separately; our `inputTokens` includes it. */
function usageOf(usage: ProviderUsage): Usage {
  const cachedInputTokens = whole(usage.cache_read_input_tokens);
  const cacheWriteTokens = whole(usage.cache_creation_input_tokens);
  return {
    inputTokens: whole(usage.input_tokens) + cachedInputTokens + cacheWriteTokens,
    cachedInputTokens,
    cacheWriteTokens,
    outputTokens: whole(usage.output_tokens),
    reasoningTokens: whole(usage.output_tokens_details?.thinking_tokens),
  };
}

function whole(count: number | null | undefined): number {
  return Math.max(0, Math.trunc(count ?? 0));
}
