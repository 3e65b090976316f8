import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ProviderId } from '@signalbox/core';
import { createTestWorkspace } from '../open-test-runtime.ts';
import { openTestServer } from '../open-test-server.ts';
import { removeWorkspace } from '../remove-workspace.ts';
import { runProgram } from '../run-program.ts';
import { openAuthProxy } from './auth-proxy.ts';

/**
 * `npm run conformance`: the protocol's own suite (era 2025) and inspector (both eras) against both of our MCP
 * transports and our client. Fetches both into a folder for temporary files; not part of the tests.
 */
const PACKAGES = ['@modelcontextprotocol/conformance@0.1.16', '@modelcontextprotocol/inspector@2.12.0'];
/**
 * The suite's scenarios for what Signalbox has: tools with text answers. It has no prompts, resources, completion,
 * sampling.
 */
const SERVER_SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-error',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];
const CLIENT_SCENARIOS = ['initialize', 'tools_call', 'sse-retry'];
/** The suite's own tool names. */
const NAMES = {
  test_simple_text: 'signalbox_get_current_time',
  test_error_handling: 'signalbox_failing_tool',
};
const TIMEOUT_MS = 120_000;
/** The inspector gives a program 15 s to start: too little on a busy machine. */
const PATIENT = ['--connect-timeout', '60000'];
const MAIN = join(import.meta.dirname, '../../main.ts');
const CLIENT = fileURLToPath(new URL('./client.ts', import.meta.url));

const folder = process.env['CONFORMANCE_FOLDER'] ?? mkdtempSync(join(tmpdir(), 'signalbox-conformance-'));
const bin = join(folder, 'node_modules/.bin');
let failures = 0;

function report(what: string, ok: boolean, { output }: Readonly<{ output: string }>): void {
  if (!ok) failures += 1;
  const counted = /Passed: \d+\/\d+.*$/m.exec(output)?.[0] ?? '';
  process.stdout.write(`${ok ? 'passed' : 'FAILED'}  ${what}  ${counted}\n`);
  if (!ok) process.stdout.write(`${output.slice(-4000)}\n`);
}

const run = (...argv: [string, ...string[]]) => runProgram(argv, { cwd: folder, timeoutMs: TIMEOUT_MS });

if (process.env['CONFORMANCE_FOLDER'] === undefined) {
  const fetched = await run('npm', 'install', '--no-audit', '--no-fund', '--prefix', folder, ...PACKAGES);
  if (fetched.exitCode !== 0) throw new Error(`Cannot fetch the suite: ${fetched.output}`);
}

const PROVIDER = 'ollama';
/** The suite calls tools that are offered only if a provider lists them. */
const tools = ['bash', 'failing_tool', 'get_current_time'];
await using own = await openTestServer({ settings: { providers: { [PROVIDER]: { tools } } } });
const { token } = await own.of.tokens.create({
  kind: 'made',
  name: 'conformance',
  role: 'provider',
  provider: ProviderId.parse(PROVIDER),
  lifetimeMs: null,
});
const proxy = await openAuthProxy({ url: own.url, token }, NAMES);
for (const scenario of SERVER_SCENARIOS) {
  const { exitCode, output } = await run(
    join(bin, 'conformance'),
    'server',
    '--url',
    proxy.url,
    '--scenario',
    scenario,
  );
  report(`suite, /mcp, ${scenario}`, exitCode === 0 && !/FAILURE/.test(output), { output });
}
await proxy.close();
for (const scenario of CLIENT_SCENARIOS) {
  const command = `${process.execPath} ${CLIENT}`;
  const { exitCode, output } = await run(
    join(bin, 'conformance'),
    'client',
    '--command',
    command,
    '--scenario',
    scenario,
  );
  report(`suite, our client, ${scenario}`, exitCode === 0 && !/FAILURE/.test(output), { output });
}

const workspace = createTestWorkspace({ 'signalbox.yaml': '{}\n' });
const endpoints = {
  '/mcp': [
    '--server-url',
    `${own.url}/mcp`,
    '--transport',
    'http',
    '--header',
    `Authorization: Bearer ${token}`,
  ],
  'signalbox mcp': ['--', process.execPath, MAIN, '-C', workspace, 'mcp', '--provider', 'inspector'],
};
for (const [endpoint, target] of Object.entries(endpoints)) {
  for (const era of ['legacy', 'modern']) {
    const how = ['--cli', '--protocol-era', era, '--format', 'json', ...PATIENT];
    const call = [
      '--method',
      'tools/call',
      '--tool-name',
      'signalbox_bash',
      '--tool-args-json',
      '{"line":"echo conforms"}',
    ];
    const listed = await inspect([...how, '--method', 'tools/list', '--strict'], target);
    report(`inspector, ${endpoint}, ${era}, tools/list --strict`, listed.exitCode === 0, {
      output: listed.output,
    });
    const called = await inspect([...how, ...call], target);
    const hasAnswered = called.exitCode === 0 && called.output.includes('conforms');
    report(`inspector, ${endpoint}, ${era}, tools/call`, hasAnswered, { output: called.output });
  }
}
removeWorkspace(workspace);
if (process.env['CONFORMANCE_FOLDER'] === undefined) rmSync(folder, { recursive: true, force: true });
process.stdout.write(`${failures} failed\n`);
process.exitCode = failures === 0 ? 0 : 1;

function inspect(options: readonly string[], target: readonly string[]): ReturnType<typeof run> {
  return run(join(bin, 'mcp-inspector'), ...options, ...target);
}
