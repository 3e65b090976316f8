import { type AssistantPart, type Provider, stripThoughts, type TurnEvent } from '@signalbox/core';

/**
 * Removes thoughts from the arguments of all calls, whatever the provider was offered: nothing behind it ever holds one
 * (S001-68, S001-72).
 *
 * The arguments of a call come in one piece, after the turn has ended well: a piece of a stream can't be checked.
 */
export function withoutThoughts(provider: Provider): Provider {
  return { id: provider.id, stream: (request, limits) => stripped(provider.stream(request, limits)) };
}

async function* stripped(events: AsyncIterable<TurnEvent>): AsyncGenerator<TurnEvent, void, undefined> {
  for await (const event of events) {
    if (event.kind === 'call-args') continue;
    if (event.kind !== 'done') {
      yield event;
      continue;
    }
    const parts = event.assistant.parts.map(strip);
    for (const part of parts) {
      if (part.kind !== 'call' || part.call.argsText === '') continue;
      yield { kind: 'call-args', id: part.call.id, delta: part.call.argsText };
    }
    yield { ...event, assistant: { ...event.assistant, parts } };
  }
}

function strip(part: AssistantPart): AssistantPart {
  if (part.kind !== 'call') return part;
  const { args, thoughts } = stripThoughts(part.call.argsText);
  if (thoughts === 'none') return part;
  return { kind: 'call', call: { ...part.call, argsText: args, thoughts } };
}
