import type { Message } from '@signalbox/core';

/** Longer ids are replaced: the coordinator accepts ids of up to 256 characters. */
const MAX_LENGTH = 256;

/**
 * Gives every call of a turn an id that is unique in the conversation.
 *
 * Local servers omit ids, or restart at `call_0` each turn, and a result would then answer the wrong call. A
 * unique id is kept.
 */
export function createCallIds(messages: readonly Message[]): (proposed: string | undefined) => string {
  const used = new Set(
    messages.flatMap((message) =>
      message.role === 'assistant'
        ? message.parts.flatMap((part) => (part.kind === 'call' ? [part.call.id] : []))
        : [],
    ),
  );
  return (proposed) => {
    let id = proposed ?? '';
    for (let n = used.size + 1; id === '' || id.length > MAX_LENGTH || used.has(id); n++) id = `sb_call_${n}`;
    used.add(id);
    return id;
  };
}
