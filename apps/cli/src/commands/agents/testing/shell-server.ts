/** A server with one tool, `run`, which runs a shell line; as the one file that a workspace needs for it. */
const PROGRAM = `
import { exec, execSync } from 'node:child_process';
import { createInterface } from 'node:readline';
if (process.argv[2] !== undefined) execSync(process.argv[2]);
const tool = {
  name: 'run',
  inputSchema: { type: 'object', properties: { line: { type: 'string' } }, required: ['line'] },
};
const answers = {
  initialize: (id, { protocolVersion }, answer) =>
    answer({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'shell', version: '1' } }),
  'tools/list': (id, params, answer) => answer({ tools: [tool] }),
  'tools/call': (id, params, answer) =>
    exec(params.arguments.line, { shell: '/bin/bash' }, (error, out, err) =>
      answer({ content: [{ type: 'text', text: out + err }] })),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const say = (rest) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...rest }) + '\\n');
  const answer = answers[method];
  if (answer === undefined) say({ error: { code: -32601, message: 'unknown' } });
  else answer(id, params, (result) => say({ result }));
});
`;

export const SHELL_SERVER_FILES = { 'shell-server.mjs': PROGRAM };

/** @param atStart A line that it runs before it answers anything. */
export function shellServer(atStart?: string) {
  const args = ['shell-server.mjs', ...(atStart === undefined ? [] : [atStart])];
  return { command: process.execPath, args, workspace: 'write', policy: 'auto', category: 'execute' };
}
