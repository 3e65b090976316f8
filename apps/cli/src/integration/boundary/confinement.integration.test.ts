import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const ALLOWED = { approval: { approval_mode: 'allow_all' } } as const;

const website = createServer((request, response) => {
  if (request.url === '/away')
    return void response.writeHead(302, { Location: 'http://evil.example/' }).end();
  response.end('hello\n');
});
let port: number;
beforeAll(async () => {
  await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
  port = (website.address() as AddressInfo).port;
});
afterAll(() => void website.close());

test('an allowed call reaches the host that it named, but not a redirect’s host (K3)', async () => {
  await using own = await openTestRuntime({ settings: ALLOWED });
  const done = await own.call('openai', 'bash', { line: `curl -sS -L http://localhost:${port}/away` });
  expect(done.network).toMatchObject([
    { target: `localhost:${port}`, outcome: 'reached' },
    { target: 'evil.example:80', outcome: 'refused' },
  ]);
  const why = `"evil.example:80" is not among the hosts of this command: localhost:${port}`;
  expect(done.content).toContain(`network refused: ${why}`);
  await own.event('network_connection', (event) => event.outcome === 'refused' && event.why === why);
  expect(own.read('.signalbox/audit.jsonl')).toContain('"target":"evil.example:80"');
});

test('a provider is held to its own profile, and others are not (S003-80) (setting: providers.*.sandbox.network.commands, providers.*.sandbox.deny_read, providers.*.sandbox.resource_limits.max_written_mb)', async () => {
  const sandbox = {
    network: { commands: 'none' },
    deny_read: ['plans'],
    resource_limits: { max_written_mb: 1 },
  };
  await using own = await openTestRuntime({
    settings: { ...ALLOWED, providers: { openai: { sandbox } } },
    files: { 'plans/a.txt': 'plan\n' },
  });
  const line = `curl -sS http://localhost:${port}/; cat plans/a.txt; head -c 2000000 /dev/zero > big; true`;
  const held = await own.call('openai', 'bash', { line });
  expect(held.stdout).toBe('');
  expect(held.content).toContain('sandbox.resource_limits.max_written_mb');
  const read = await own.call('openai', 'read_file', { path: 'plans/a.txt' });
  expect(read.failure).toMatchObject({ code: 'path_not_allowed' });
  const free = await own.call('anthropic', 'bash', { line });
  expect(free.stdout).toBe('hello\nplan\n');
  expect(free.usage?.writtenBytes).toBeGreaterThanOrEqual(2_000_000);
});

test('tests that fail without network are reported as such by exec, by status and to the model', async () => {
  const script = `require('net').connect(${port}, '127.0.0.1').on('error', () => process.exit(1))`;
  const files = { 'package.json': '{"scripts":{"test":"node t.js"}}', 't.js': script };
  const { signalbox } = createTestTerminal(ownWorkspace(files));
  const ran = await signalbox('exec', '--', 'npm test');
  const reported = 'this ran without network: it tried to reach a server on 127.0.0.1 or ::1';
  expect(ran).toMatchObject({ exit: 1, talk: expect.stringContaining(reported) as unknown });
  expect(ran.talk).toContain('sandbox.network.services in .signalbox/local.yaml');
  const { out } = await signalbox('status', '@last');
  const shown = out.replaceAll(/\s+/g, ' ');
  expect(shown).toContain(`Network ${reported}`);
  expect(shown).toContain('Next A person can allow a service on this machine');
  await using own = await openTestRuntime({ settings: ALLOWED, files });
  const tested = await own.call('openai', 'bash', { line: 'npm test' });
  expect(tested).toMatchObject({ success: true, exitCode: 1 });
  expect(tested.content).toContain(reported);
});

test.each(['lnt', 'lint'])(
  'npm run %s that fails for its own reason does not mention the network',
  async (script) => {
    const files = { 'package.json': '{"scripts":{"lint":"exit 1"}}' };
    const { signalbox } = createTestTerminal(ownWorkspace(files));
    const ran = await signalbox('exec', '--', `npm run ${script}`);
    expect(ran).toMatchObject({ exit: 1, talk: expect.not.stringContaining('network') as unknown });
  },
);

test('a line that tried other hosts without network says so in plain words', async () => {
  const line = `node -e "require('net').connect(9, '192.0.2.1').on('error', () => process.exit(2))"`;
  const { signalbox } = createTestTerminal(ownWorkspace());
  const { exit, talk } = await signalbox('exec', '--', line);
  expect({ exit, talk }).toMatchObject({
    exit: 2,
    talk: expect.stringContaining(
      'this ran without network: it tried to reach other hosts and was blocked (1 connection)',
    ) as unknown,
  });
});

test('a line that failed without network says so to model and user, and a listed service is reached (S003-92) (setting: sandbox.network.services)', async () => {
  const line = `node -e "require('net').connect(${port}, '127.0.0.1').on('error', () => process.exit(2)).on('connect', () => process.exit(0))"`;
  const reported =
    'this ran without network: it tried to reach a server on 127.0.0.1 or ::1, which is private to each command (1 connection)';
  await using own = await openTestRuntime({ settings: ALLOWED });
  const failed = await own.call('openai', 'bash', { line });
  expect(failed.failure?.why).toContain(reported);
  expect(failed.content).toContain(reported);
  const service = `127.0.0.1:${port}`;
  const network = { services: [service] };
  await using listed = await openTestRuntime({ settings: { ...ALLOWED, sandbox: { network } } });
  const done = await listed.call('openai', 'bash', { line });
  expect(done).toMatchObject({ success: true, network: [{ target: service, outcome: 'reached' }] });
});
