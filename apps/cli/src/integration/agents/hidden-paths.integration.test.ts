import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createTestWorkspace, openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';

const FREE = { approval: { approval_mode: 'allow_all' } } as const;
const TRACE = `console.error('at ' + process.cwd() + '/src/a.ts:3'); console.log('see ' + process.env.HOME + '/log');`;

afterEach(() => void vi.unstubAllEnvs());

/** A workspace below the home folder of its user. */
async function openAtHome(settings: Readonly<Record<string, unknown>> = {}): Promise<TestRuntime> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-home-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  vi.stubEnv('HOME', home);
  const workspace = createTestWorkspace(
    { 'trace.mjs': TRACE, 'src/a.ts': 'one\n', 'notes.txt': `see ${home}/log\n` },
    home,
  );
  return openTestRuntime({ workspace, settings: { ...FREE, ...settings }, apiKeys: { HOME: home } });
}

test('a model reads ~ and paths of the workspace, people see them as they are, and what a model read it can use (S001-46)', async () => {
  await using own = await openAtHome();
  const home = join(own.workspace, '..');
  const call = (tool: string, args: Record<string, string>) => own.call('openai', tool, args);
  const traced = await call('bash', { line: 'node trace.mjs' });
  expect(traced.content).toContain('see ~/log');
  expect(traced.content).toContain('at ./src/a.ts:3');
  expect(traced.content).not.toContain(home);
  expect([traced.stdout, traced.stderr]).toEqual([
    `see ${home}/log\n`,
    expect.stringContaining(`at ${own.workspace}/src/a.ts:3`),
  ]);
  const again = await call('read_output', { command: traced.commandId });
  expect(again.content).toContain('see ~/log');
  expect(again.output).toContain(`see ${home}/log`);
  for (const path of ['./src/a.ts', `${own.workspace}/src/a.ts`]) {
    expect((await call('read_file', { path })).content).toContain('one');
    expect((await call('bash', { line: `cat ${path}` })).stdout).toBe('one\n');
  }
  expect((await call('bash', { line: `cat ~/${basename(own.workspace)}/src/a.ts` })).stdout).toBe('one\n');
});

test('the content of files stays as it is, so that a model can write it back', async () => {
  await using own = await openAtHome();
  const text = `see ${join(own.workspace, '..')}/log\n`;
  for (const line of ['cat notes.txt', 'grep see notes.txt', 'git show HEAD:notes.txt || cat notes.txt'])
    expect((await own.call('openai', 'bash', { line })).content).toContain(text.trim());
  expect((await own.call('openai', 'read_file', { path: 'notes.txt' })).content).toContain(text.trim());
});

test('paths can be shown to models (setting: filters.hide_paths)', async () => {
  await using own = await openAtHome({ filters: { hide_paths: false } });
  const { content } = await own.call('openai', 'bash', { line: 'node trace.mjs' });
  expect(content).toContain(`at ${own.workspace}/src/a.ts:3`);
});
