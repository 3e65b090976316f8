import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { writeOwnSettings } from '../../testing/own-settings.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const FREE = { approval: { approval_mode: 'allow_all' } } as const;

const FILES = { 'open.js': "for (let n = 0; n < 100; n++) require('fs').openSync('/dev/null');\n" };

/** The three places of a profile, each as settings. */
const PLACES: readonly ((profile: object) => Readonly<Record<string, unknown>>)[] = [
  (profile) => ({ ...FREE, sandbox: profile }),
  (profile) => ({ ...FREE, tools: { bash: { sandbox: profile } } }),
  (profile) => ({ ...FREE, providers: { openai: { sandbox: profile } } }),
];

/** What a model reads of a line: without a profile, and with it in each of the three places. */
async function answersTo(line: string, profile: object): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const settings of [FREE, ...PLACES.map((at) => at(profile))]) {
    await using own = await openTestRuntime({ settings, files: FILES });
    answers.push((await own.call('openai', 'bash', { line })).content);
  }
  return answers;
}

test.for<Readonly<{ key: string; limits: object; line: string; named: string }>>([
  {
    key: 'sandbox.resource_limits.max_file_mb, tools.*.sandbox.resource_limits.max_file_mb, providers.*.sandbox.resource_limits.max_file_mb',
    limits: { max_file_mb: 1 },
    line: 'head -c 3000000 /dev/zero > x; true',
    named: 'max_file_mb',
  },
  {
    key: 'sandbox.resource_limits.max_written_mb, tools.*.sandbox.resource_limits.max_written_mb',
    limits: { max_written_mb: 1 },
    line: 'head -c 3000000 /dev/zero > x; true',
    named: 'max_written_mb',
  },
  {
    key: 'sandbox.resource_limits.max_written_files, tools.*.sandbox.resource_limits.max_written_files, providers.*.sandbox.resource_limits.max_written_files',
    limits: { max_written_files: 50 },
    line: 'touch f{1..90}',
    named: 'max_written_files',
  },
  {
    key: 'sandbox.resource_limits.max_open_files, tools.*.sandbox.resource_limits.max_open_files, providers.*.sandbox.resource_limits.max_open_files',
    limits: { max_open_files: 64 },
    line: 'node open.js',
    named: 'max_open_files',
  },
  {
    key: 'sandbox.resource_limits.max_processes, tools.*.sandbox.resource_limits.max_processes, providers.*.sandbox.resource_limits.max_processes',
    limits: { max_processes: 20 },
    line: 'for i in {1..40}; do sleep 1 & done; wait',
    named: 'max_processes',
  },
  {
    key: 'tools.*.sandbox.resource_limits.max_memory_mb, providers.*.sandbox.resource_limits.max_memory_mb',
    limits: { max_memory_mb: 96 },
    line: `node -e "const all = []; for (let i = 0; i < 100; i++) all.push(Buffer.alloc(2e6, 1))"`,
    named: 'max_memory_mb',
  },
  {
    key: 'sandbox.resource_limits.max_cpu_percent, tools.*.sandbox.resource_limits.max_cpu_percent, providers.*.sandbox.resource_limits.max_cpu_percent',
    limits: { max_cpu_percent: 5 },
    line: `node -e "while (process.cpuUsage().user + process.cpuUsage().system < 4e5);"`,
    named: 'max_cpu_percent',
  },
  {
    key: 'sandbox.resource_limits.timeout_ms, tools.*.sandbox.resource_limits.timeout_ms, providers.*.sandbox.resource_limits.timeout_ms',
    limits: { timeout_ms: 500 },
    line: 'sleep 2',
    named: 'timeout_ms',
  },
])('a limit reached by a line is named to the model (setting: $key)', async ({ limits, line, named }) => {
  const isNamed = async (): Promise<boolean[]> =>
    (await answersTo(line, { resource_limits: limits })).map((answer) => answer.includes(named));
  // Again where other processes left a line less than its share of the processors.
  await expect.poll(isNamed, { timeout: 150_000 }).toEqual([false, true, true, true]);
});

test('files that a profile denies are hidden from its lines (setting: tools.*.sandbox.deny_read)', async () => {
  const settings = { ...FREE, tools: { bash: { sandbox: { deny_read: ['plans'] } } } };
  await using own = await openTestRuntime({ settings, files: { 'plans/a.txt': 'plan\n' } });
  const { stdout } = await own.call('openai', 'bash', { line: 'cat p*/a.txt; true' });
  expect(stdout).toBe('');
});

test('a file below the home is readable only if the settings list it, and no profile leaves it out (setting: sandbox.readable_home, tools.*.sandbox.readable_home, providers.*.sandbox.readable_home)', async () => {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, '.cache/notes'), { recursive: true });
  writeFileSync(join(home, '.cache/notes/a.txt'), 'noted\n');
  vi.stubEnv('HOME', home);
  const shown = { sandbox: { readable_home: ['~/.cache/notes'] } };
  const hidden = { sandbox: { readable_home: [] } };
  const seen: string[] = [];
  for (const more of [
    {},
    shown,
    { ...shown, tools: { bash: hidden } },
    { ...shown, providers: { openai: hidden } },
  ]) {
    await using own = await openTestRuntime({
      settings: { ...FREE, ...more },
      apiKeys: { HOME: home },
      files: { 'read.sh': `cat ${home}/.cache/notes/a.txt; true\n` },
    });
    seen.push((await own.call('openai', 'bash', { line: 'bash read.sh' })).stdout);
  }
  expect(seen).toEqual(['', 'noted\n', '', '']);
});

const website = createServer((_, response) => void response.end('hello\n'));
let site: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
  site = `localhost:${(website.address() as AddressInfo).port}`;
});
afterAll(() => void website.close());
afterEach(() => {
  vi.unstubAllEnvs();
});

test.for<Readonly<{ key: string; network: object }>>([
  {
    key: 'sandbox.network.commands, tools.*.sandbox.network.commands',
    network: { commands: 'none' },
  },
  {
    key: 'sandbox.network.hosts, tools.*.sandbox.network.hosts, providers.*.sandbox.network.hosts',
    network: { hosts: ['other.example'] },
  },
])('a line reaches a server only if every profile lets it (setting: $key)', async ({ network }) => {
  const answers = await answersTo(`curl -sS http://${site}/; true`, { network });
  expect(answers.map((answer) => answer.includes('hello'))).toEqual([true, false, false, false]);
});

test('through: machine gives a line the network of the machine, without a list of hosts (setting: sandbox.network.through)', async () => {
  const line = `curl -sS http://${site}/; curl -sS http://127.0.0.1:${site.split(':')[1]}/; true`;
  const seen: string[] = [];
  for (const network of [{}, { through: 'machine' }]) {
    await using own = await openTestRuntime({ settings: { ...FREE, sandbox: { network } } });
    seen.push(String((await own.call('openai', 'bash', { line })).network?.length ?? 0));
  }
  expect(seen).toEqual(['2', '0']);
});

test('no file turns the sandbox off (setting: sandbox.enabled)', async () => {
  const outside = join(homedir(), `signalbox-outside-${process.pid}`);
  const workspace = ownWorkspace({ 'x.sh': `echo x > ${outside}; true\n` });
  await writeOwnSettings(workspace, { text: 'sandbox: { enabled: false }\n' });
  const { signalbox } = createTestTerminal(workspace);
  await signalbox('exec', '--', 'bash x.sh');
  expect(existsSync(outside)).toBe(false);
  expect((await signalbox('config', 'get', 'sandbox.enabled')).out).toContain('true');
});

test.each([
  ['tool', { tools: { bash: { sandbox: { labels: ['gpu'] } } } }],
  ['provider', { providers: { openai: { sandbox: { labels: ['gpu'] } } } }],
])(
  'a line whose %s requires labels of a worker does not run where no worker can be',
  async (_of, settings) => {
    await using own = await openTestRuntime({ settings: { ...FREE, ...settings } });
    const result = await own.call('openai', 'bash', { line: 'touch ran' });
    expect(result.outcome).toMatchObject({
      kind: 'failed',
      failure: { message: 'Cannot run this: it needs a worker with "gpu"' },
    });
    expect(existsSync(join(own.workspace, 'ran'))).toBe(false);
  },
);
