import { expect, test, vi } from 'vitest';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';

/** An MCP server that dies in the middle of its first call, and answers the second one. */
const SERVER = `
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const annotations = JSON.parse(process.argv[2]);
const tool = { name: 'look', inputSchema: { type: 'object', properties: {} }, annotations };
const answers = {
  initialize: ({ protocolVersion }) =>
    ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'frail', version: '1' } }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call'() {
    appendFileSync('calls', 'x');
    if (readFileSync('calls', 'utf8') === 'x') process.exit(3);
    return { content: [{ type: 'text', text: 'seen' }] };
  },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const rest = answers[method] === undefined
    ? { error: { code: -32601, message: 'unknown' } }
    : { result: answers[method](params) };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...rest }) + '\\n');
});
`;

async function callLook(annotations: object) {
  const frail = {
    command: process.execPath,
    args: ['frail.mjs', JSON.stringify(annotations)],
    workspace: 'write',
    trust_annotations: true,
    policy: 'auto',
  };
  await using own = await openTestRuntime({
    files: { 'frail.mjs': SERVER },
    settings: { approval: { approval_mode: 'allow_all' }, mcp_servers: { frail } },
  });
  const look = 'mcp__frail__look';
  await vi.waitFor(() => expect(own.runtime.coordinator.tools.get(look)).toBeDefined(), 20_000);
  const { success, output, failure } = await own.call('openai', look, {});
  return { success, output, code: failure?.code, calls: own.read('calls') };
}

test('a call of a tool that only reads and is idempotent is made again when its server dies in the middle (S001-07, H6)', async () => {
  expect(await callLook({ readOnlyHint: true, idempotentHint: true })).toEqual({
    success: true,
    output: 'seen',
    code: undefined,
    calls: 'xx',
  });
});

test('any other call is made once: a server that died may have done its work (S001-07, X-17)', async () => {
  expect(await callLook({ readOnlyHint: true })).toEqual({
    success: false,
    output: null,
    code: 'mcp-server-lost',
    calls: 'x',
  });
});
