import type { CommandRecord } from '@signalbox/core';
import type { GatedCall } from './gate.ts';

/** A stored call as gates see it; null if it was never classified. */
export function gatedCallOf({ call, callHash, title, verdict, context }: CommandRecord): GatedCall | null {
  return callHash === null || verdict === null ? null : { call, callHash, title, verdict, context };
}
