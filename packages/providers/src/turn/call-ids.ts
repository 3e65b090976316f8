import type { Message } from '@signalbox/core';

/** A longer one is replaced: the coordinator takes ids of up to 256 characters. */
const MAX_LENGTH = 256;

/**
 * Gives every call of a turn an id that no other call of the conversation has.
 *
 * Local servers leave ids out, or begin with `call_0` again at every turn, and then a result would answer
 * the wrong call. A good id is kept as it is.
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
