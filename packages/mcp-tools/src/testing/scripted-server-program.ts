import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createScriptedServer } from './scripted-server.ts';

/** The scripted server as a program. Arguments: behaviour, then a file for its calls. */
const [behaviour, calls] = process.argv.slice(2);
if (behaviour === 'silent') process.stdin.resume();
else if (behaviour === 'broken') {
  process.stderr.write('\u001B[31mno licence found\n');
  process.exitCode = 2;
} else if (behaviour === 'flood') pour('x'.repeat(1024 * 1024));
else if (behaviour === 'chatter') {
  const progress = { method: 'notifications/progress', params: { progressToken: 1, progress: 1 } };
  pour(`${JSON.stringify({ jsonrpc: '2.0', ...progress })}\n`.repeat(1000));
} else if (behaviour === 'pages') {
  const { server } = createScriptedServer({});
  let page = 0;
  server.setRequestHandler('tools/list', () => {
    page += 1;
    return { tools: [{ name: `t${page}`, inputSchema: { type: 'object' } }], nextCursor: `${page}` };
  });
  serveStdio(() => server);
} else serveStdio(() => createScriptedServer({ calls, isHostile: behaviour === 'hostile' }));

/** Writes the text endlessly. */
function pour(text: string): void {
  process.stdout.on('error', () => process.exit());
  const again = (): void => void process.stdout.write(text, again);
  again();
}
