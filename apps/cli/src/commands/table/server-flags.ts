import type { Flag } from './subcommand-row.ts';

/** For every subcommand that works at a server elsewhere as it does here. */
export const serverFlags: readonly Flag[] = [
  { name: 'server', value: 'URL', text: 'Use the server at URL (access token from SIGNALBOX_TOKEN)' },
  {
    name: 'token-file',
    value: 'FILE',
    text: 'Read the access token from FILE (must be readable only by you)',
  },
];
