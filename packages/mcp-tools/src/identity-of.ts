import { createHash } from 'node:crypto';
import { canonicalJson, type McpServerSettings } from '@signalbox/core';

/** Identifies a server: its program with everything it is given except limits, or its address. */
export function identityOf({ reach }: Pick<McpServerSettings, 'reach'>): string {
  // Undefined values are omitted.
  const what = reach.kind === 'stdio' ? { ...reach, limits: undefined } : reach;
  return createHash('sha256').update(canonicalJson(what)).digest('hex');
}
