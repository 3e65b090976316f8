import { createHash } from 'node:crypto';
import { canonicalJson, type McpServerSettings } from '@signalbox/core';

/** What a server is: the program with all that it is given, or the address. */
export function identityOf({ reach }: Pick<McpServerSettings, 'reach'>): string {
  return createHash('sha256').update(canonicalJson(reach)).digest('hex');
}
