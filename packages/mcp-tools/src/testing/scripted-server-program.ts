import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createScriptedServer } from './scripted-server.ts';

/** The same as a program: behaviour, then a file for its calls. */
const [behaviour, calls] = process.argv.slice(2);
if (behaviour === 'silent') process.stdin.resume();
else if (behaviour === 'broken') {
  process.stderr.write('\u001B[31mno licence found\n');
  process.exitCode = 2;
} else if (behaviour === 'flood') {
  process.stdout.on('error', () => process.exit());
  const flood = (): void => void process.stdout.write('x'.repeat(1024 * 1024), flood);
  flood();
} else serveStdio(() => createScriptedServer({ calls, isHostile: behaviour === 'hostile' }));
