import { type CallHash, type CommandRecord, InvariantError } from '@signalbox/core';

/** Identifies this approval, so that an answer counts for nothing else. */
export function questionHash({ id, approval }: CommandRecord): CallHash {
  if (approval !== null) return approval.callHash;
  throw new InvariantError(`Cannot answer for command "${id}": it has no approval`);
}
