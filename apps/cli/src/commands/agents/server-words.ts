import type { McpServerSettings } from '@signalbox/core';
import { quoteWord } from '../../terminal/quote-word.ts';

/** How to reach a server: its command line, or its address. */
export function reachInWords({ reach }: Pick<McpServerSettings, 'reach'>): string {
  return reach.kind === 'http' ? reach.url : [reach.command, ...reach.args].map(quoteWord).join(' ');
}

/** What it can do to this machine, whatever it claims. */
export function rightsInWords({ reach }: Pick<McpServerSettings, 'reach'>): string {
  if (reach.kind === 'http') return 'another program, at its address';
  if (!reach.sandbox) return 'no sandbox: it has all your rights';
  const sees = {
    none: 'no access to the workspace',
    read: 'reads the workspace',
    write: 'writes the workspace',
  }[reach.workspace];
  return `in the sandbox: ${sees}, ${reach.network ? 'the whole network' : 'no network'}`;
}

/** Names of environment variables that it receives. */
export function variablesOf({ reach }: Pick<McpServerSettings, 'reach'>): readonly string[] {
  if (reach.kind === 'stdio') return reach.envFrom;
  return [...Object.values(reach.headersFrom), ...(reach.tokenFrom === null ? [] : [reach.tokenFrom])];
}
