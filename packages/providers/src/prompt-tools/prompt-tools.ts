import type { AssistantPart, Provider, TurnEvent, TurnLimits, TurnRequest } from '@signalbox/core';
import { createCallIds } from '../turn/call-ids.ts';
import { createBlockScanner, type ScannedPiece } from './block-scanner.ts';
import { toNativePrompt, toPlainMessages } from './describe-tools.ts';
import { parseBlock } from './parse-block.ts';

/**
 * Adds tool calling to a provider that lacks it (B5). The tools are described in the system prompt, calls are
 * parsed from ```` ```tool_call ```` blocks in the text, and results are sent back as text.
 */
export function createPromptTools(provider: Provider): Provider {
  return { id: provider.id, stream: (request, limits) => streamWithPrompt(provider, request, limits) };
}

async function* streamWithPrompt(
  provider: Provider,
  request: TurnRequest,
  limits: TurnLimits,
): AsyncGenerator<TurnEvent, void, undefined> {
  const scanner = createBlockScanner();
  const nextId = createCallIds(request.messages);
  const parts: AssistantPart[] = [];

  function* accept(pieces: readonly ScannedPiece[]): Iterable<TurnEvent> {
    for (const piece of pieces) {
      if (piece.kind === 'text') {
        addText(parts, 'text', { delta: piece.text });
        yield { kind: 'text', delta: piece.text };
        continue;
      }
      for (const { id: proposed, name, argsText } of parseBlock(piece.body)) {
        const id = nextId(proposed);
        parts.push({ kind: 'call', call: { id, name, argsText } });
        yield { kind: 'call-start', id, name };
        if (argsText !== '') yield { kind: 'call-args', id, delta: argsText };
      }
    }
  }

  const plain: TurnRequest = {
    ...request,
    messages: toPlainMessages(request.messages, request.tools),
    tools: [],
  };
  for await (const event of provider.stream(plain, limits)) {
    if (event.kind === 'text') {
      yield* accept(scanner.push(event.delta));
    } else if (event.kind === 'done') {
      yield* accept(scanner.end());
      const called = parts.some(({ kind }) => kind === 'call');
      const stop = called && event.stop === 'end' ? 'tools' : event.stop;
      const native = toNativePrompt(event.assistant);
      yield { ...event, stop, assistant: { role: 'assistant', parts, native } };
    } else {
      if (event.kind === 'reasoning') addText(parts, 'reasoning', { delta: event.delta });
      yield event;
    }
  }
}

function addText(
  parts: AssistantPart[],
  kind: 'text' | 'reasoning',
  { delta }: Readonly<{ delta: string }>,
): void {
  const last = parts.at(-1);
  if (last?.kind === kind) parts[parts.length - 1] = { kind, text: last.text + delta };
  else parts.push({ kind, text: delta });
}
