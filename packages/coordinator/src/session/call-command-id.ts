import { createHash } from 'node:crypto';
import { canonicalJson, type CommandId, createId, type SessionId, type ToolCall } from '@signalbox/core';

/**
 * The command of a call: the same whenever the session submits it, so that a call that was submitted before a crash is
 * that command afterwards. Vendors repeat the ids of calls, so turn and position count too.
 */
export function commandIdOfCall(of: {
  readonly sessionId: SessionId;
  /** From 1. */
  readonly turn: number;
  /** Among the calls of the turn, from 0. */
  readonly position: number;
  readonly call: ToolCall;
  /** The call that replaces one whose arguments did not fit. */
  readonly isRepaired: boolean;
}): CommandId {
  const digest = createHash('sha256').update(canonicalJson(of)).digest();
  return createId('command', (length) => digest.subarray(0, length));
}
