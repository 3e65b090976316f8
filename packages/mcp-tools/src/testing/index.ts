import { fileURLToPath } from 'node:url';

export { startHttpServer } from './start-http-server.ts';
export { createScriptedServer } from './scripted-server.ts';

/** Arguments of Node.js that make it a scripted server on its standard input and output. */
export function scriptedServerArgs(
  behaviour: 'sound' | 'hostile' | 'silent' | 'broken' | 'flood' | 'chatter' | 'pages' = 'sound',
  calls?: string,
): string[] {
  const program = fileURLToPath(new URL('./scripted-server-program.ts', import.meta.url));
  return [program, behaviour, ...(calls === undefined ? [] : [calls])];
}
