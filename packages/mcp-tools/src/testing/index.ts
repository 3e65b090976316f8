import { fileURLToPath } from 'node:url';

export { startHttpServer } from './start-http-server.ts';
export { createScriptedServer } from './scripted-server.ts';

/** Arguments for Node.js that start a scripted server on standard input and output. */
export function scriptedServerArgs(
  behaviour: 'sound' | 'hostile' | 'silent' | 'broken' | 'flood' | 'chatter' | 'pages' = 'sound',
  calls?: string,
): string[] {
  const program = fileURLToPath(new URL('./scripted-server-program.ts', import.meta.url));
  return [program, behaviour, ...(calls === undefined ? [] : [calls])];
}
