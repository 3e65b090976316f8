import type { ToolCall, TurnEvent } from '@signalbox/core';
import type { CallDelta } from './chat-chunk.ts';

type OpenCall = {
  readonly index: number | undefined;
  /** The id the server sent; tells apart calls that share an index. */
  readonly sentId: string | undefined;
  readonly id: string;
  name: string;
  argsText: string;
  /** Whether `call-start` was sent. It is held back until the name is known. */
  started: boolean;
  /** Unknown fields, for example Gemini's signatures. Sent back with the call. */
  readonly extra: Readonly<Record<string, unknown>>;
};

export type ChatCalls = {
  accept(delta: CallDelta): Iterable<TurnEvent>;
  /** Sends `call-start` for calls that never got a name. */
  end(): Iterable<TurnEvent>;
  list(): readonly (ToolCall & { readonly extra: Readonly<Record<string, unknown>> })[];
};

/** Assembles the calls of a turn from their deltas. */
export function createChatCalls(nextId: (proposed: string | undefined) => string): ChatCalls {
  const calls: OpenCall[] = [];

  function* start(call: OpenCall): Iterable<TurnEvent> {
    call.started = true;
    yield { kind: 'call-start', id: call.id, name: call.name };
    if (call.argsText !== '') yield { kind: 'call-args', id: call.id, delta: call.argsText };
  }

  return {
    *accept(delta) {
      let call = findCall(calls, delta);
      if (call === undefined) {
        const { index, id, function: _, type: __, ...extra } = delta;
        const sentId = id == null || id === '' ? undefined : id;
        call = {
          index: index ?? undefined,
          sentId,
          id: nextId(sentId),
          name: '',
          argsText: '',
          started: false,
          extra,
        };
        calls.push(call);
      }
      // Some servers repeat the name in every delta.
      if (call.name === '') call.name = delta.function?.name ?? '';
      const piece = argsPiece(delta);
      call.argsText += piece;
      if (call.started) {
        if (piece !== '') yield { kind: 'call-args', id: call.id, delta: piece };
      } else if (call.name !== '') {
        yield* start(call);
      }
    },
    *end() {
      for (const call of calls) if (!call.started) yield* start(call);
    },
    list: () => calls.map(({ id, name, argsText, extra }) => ({ id, name, argsText, extra })),
  };
}

/**
 * Finds the call a delta belongs to, by its index. Two kinds of server need more: those that give every call
 * index 0 (a different id with a name is a new call), and those that send no index (the last call continues).
 */
function findCall(calls: readonly OpenCall[], delta: CallDelta): OpenCall | undefined {
  const call =
    delta.index == null ? calls.at(-1) : calls.findLast((candidate) => candidate.index === delta.index);
  const named = delta.function?.name != null && delta.function.name !== '';
  const another = delta.id != null && delta.id !== '' && delta.id !== call?.sentId && named;
  // Without index and id, only a name tells a new call from a continued one.
  const unmarked = delta.index == null && (delta.id == null || delta.id === '') && named;
  return another || unmarked ? undefined : call;
}

function argsPiece(delta: CallDelta): string {
  const args = delta.function?.arguments;
  if (args == null) return '';
  return typeof args === 'string' ? args : JSON.stringify(args);
}
