import { ProviderError, type AssistantPart, type TurnEvent } from '@signalbox/core';
import type { Block, BlockDelta } from './message-event.ts';

type OpenBlock = {
  /** The block as the server opened it plus its deltas. Sent back verbatim. */
  readonly native: Record<string, unknown>;
  /** The arguments received so far. Only used for calls. */
  argsText: string;
  readonly callId: string | undefined;
};

export type MessageBlocks = {
  open(index: number, block: Block): Iterable<TurnEvent>;
  /** @throws {ProviderError} `Protocol` when there is no open block at `index` */
  add(index: number, delta: BlockDelta): Iterable<TurnEvent>;
  parts(): readonly AssistantPart[];
  native(): readonly Readonly<Record<string, unknown>>[];
  calls(): number;
};

/** Assembles the content blocks of a turn from their deltas. */
export function createMessageBlocks(nextId: (proposed: string | undefined) => string): MessageBlocks {
  const blocks = new Map<number, OpenBlock>();
  const inOrder = (): OpenBlock[] =>
    [...blocks.entries()].toSorted(([a], [b]) => a - b).map(([, block]) => block);

  return {
    *open(index, block) {
      if (blocks.has(index)) throw new ProviderError('Protocol', `content block ${index} was opened twice`);
      if (block.type !== 'tool_use') {
        blocks.set(index, { native: { ...block }, argsText: '', callId: undefined });
        yield* deltaEvents(block.type, textOf(block['text']) + textOf(block['thinking']));
        return;
      }
      const callId = nextId(textOf(block['id']) || undefined);
      const name = textOf(block['name']);
      const argsText = hasFields(block['input']) ? JSON.stringify(block['input']) : '';
      // Its arguments are kept once, as text.
      blocks.set(index, { native: { ...block, id: callId, name, input: {} }, argsText, callId });
      yield { kind: 'call-start', id: callId, name };
      if (argsText !== '') yield { kind: 'call-args', id: callId, delta: argsText };
    },

    *add(index, delta) {
      const block = blocks.get(index);
      if (block === undefined) {
        throw new ProviderError('Protocol', `a piece came for content block ${index}, which was not opened`);
      }
      const { native } = block;
      switch (delta.type) {
        case 'text_delta':
          native['text'] = textOf(native['text']) + textOf(delta.text);
          yield* deltaEvents('text', textOf(delta.text));
          return;
        case 'thinking_delta':
          native['thinking'] = textOf(native['thinking']) + textOf(delta.thinking);
          yield* deltaEvents('thinking', textOf(delta.thinking));
          return;
        case 'signature_delta':
          native['signature'] = textOf(native['signature']) + textOf(delta.signature);
          return;
        case 'citations_delta':
          native['citations'] = [...listOf(native['citations']), delta.citation];
          return;
        case 'input_json_delta': {
          const piece = textOf(delta.partial_json);
          block.argsText += piece;
          if (block.callId !== undefined && piece !== '') {
            yield { kind: 'call-args', id: block.callId, delta: piece };
          }
        }
      }
    },

    parts: () => inOrder().flatMap((block) => toParts(block)),
    native: () => inOrder().map(({ native }) => native),
    calls: () => inOrder().filter(({ callId }) => callId !== undefined).length,
  };
}

function* deltaEvents(type: string, delta: string): Iterable<TurnEvent> {
  if (delta === '') return;
  if (type === 'text') yield { kind: 'text', delta };
  if (type === 'thinking') yield { kind: 'reasoning', delta };
}

/** Blocks with neither text nor a call (`redacted_thinking`) are kept in the native payload only. */
function toParts({ native, argsText, callId }: OpenBlock): AssistantPart[] {
  if (callId !== undefined) {
    return [{ kind: 'call', call: { id: callId, name: textOf(native['name']), argsText } }];
  }
  const text = textOf(native['text']);
  const thinking = textOf(native['thinking']);
  if (native['type'] === 'text' && text !== '') return [{ kind: 'text', text }];
  if (native['type'] === 'thinking' && thinking !== '') return [{ kind: 'reasoning', text: thinking }];
  return [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function hasFields(value: unknown): boolean {
  return value !== null && typeof value === 'object' && Object.keys(value).length > 0;
}
