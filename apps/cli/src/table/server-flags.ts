import type { Flag } from './subcommand-row.ts';

/** Of every subcommand that works at a server elsewhere as it does here. */
export const serverFlags: readonly Flag[] = [
  { name: 'server', value: 'URL', text: 'At that server; its access token stands in SIGNALBOX_TOKEN' },
  { name: 'token-file', value: 'FILE', text: 'Its access token, in a file that only you can read' },
];
