import { createHash } from 'node:crypto';
import { canonicalJson, type McpServerSettings } from '@signalbox/core';

/** What a server is: the program with all that it is given but its limits, or the address. */
export function identityOf({ reach }: Pick<McpServerSettings, 'reach'>): string {
  // What has no value is left out.
  const what = reach.kind === 'stdio' ? { ...reach, limits: undefined } : reach;
  return createHash('sha256').update(canonicalJson(what)).digest('hex');
}
