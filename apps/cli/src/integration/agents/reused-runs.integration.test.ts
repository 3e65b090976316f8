import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandResult } from '@signalbox/core';
import { startRedisServer } from '@signalbox/redis/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';

/** Prints another id at each run. */
const UUID = 'cat /proc/sys/kernel/random/uuid';
const SCRIPTS = { scripts: { test: UUID, lint: `${UUID} && exit 1`, build: `${UUID} > out/id.txt` } };
const FILES = {
  'package.json': JSON.stringify(SCRIPTS),
  '.gitignore': 'out\n',
  'src/a.ts': 'one\n',
  'out/.keep': '',
};
const FREE = { approval: { approval_mode: 'allow_all' } } as const;
const LINE = { line: 'npm test --silent' };

async function open(settings: Record<string, unknown> = {}): Promise<TestRuntime> {
  return openTestRuntime({ files: FILES, settings: { ...FREE, ...settings } });
}

/** Which run each of these results came from. */
function runsOf(results: readonly CommandResult[]): readonly number[] {
  const seen: string[] = [];
  return results.map(({ stdout }) => {
    if (!seen.includes(stdout)) seen.push(stdout);
    return seen.indexOf(stdout);
  });
}

describe('the same tests on the same files (O1, S003-82)', () => {
  test('a second provider gets the result of the first one, with who ran it; nothing runs again (S000-90, S003-12)', async () => {
    await using own = await open();
    const first = await own.call('openai', 'bash', LINE);
    const second = await own.call('anthropic', 'bash', LINE);
    expect(first).toMatchObject({ success: true, stdout: expect.stringMatching(/^[\da-f-]{36}\n$/) });
    expect(second).toMatchObject({
      success: true,
      stdout: first.stdout,
      reusedFrom: { commandId: first.commandId, provider: 'openai' },
      usage: { cpuMs: 0 },
    });
    expect(second.notes).toEqual([
      expect.stringMatching(
        `^not run again: openai ran this (?:just now|\\d\\.\\d s ago) on exactly these files \\(${first.commandId}, took `,
      ),
    ]);
    const audited = own.auditLines().filter(({ tool }) => tool === 'bash');
    expect(
      audited.map(({ command_id, cached, cached_from }) => ({ command_id, cached, cached_from })),
    ).toEqual([
      { command_id: first.commandId },
      { command_id: second.commandId, cached: true, cached_from: first.commandId },
    ]);
  });

  test('two providers that ask at the same time share one run', async () => {
    await using own = await open();
    const [one, other] = await Promise.all([
      own.call('openai', 'bash', LINE),
      own.call('anthropic', 'bash', LINE),
    ]);
    expect(runsOf([one, other])).toEqual([0, 0]);
    expect([one, other].filter(({ reusedFrom }) => reusedFrom !== undefined)).toHaveLength(1);
  });

  test('the one that waited is not told that others changed what that run itself wrote', async () => {
    await using own = await open();
    const build = { line: 'npm run build --silent' };
    const [one, other] = await Promise.all([
      own.call('openai', 'bash', build),
      own.call('anthropic', 'bash', build),
    ]);
    expect([one.reusedFrom, other.reusedFrom].filter((from) => from !== undefined)).toHaveLength(1);
    for (const { content } of [one, other]) expect(content).not.toContain('others changed files');
  });

  test('failed tests are a result too', async () => {
    await using own = await open();
    const line = { line: 'npm run lint --silent' };
    const results = [await own.call('openai', 'bash', line), await own.call('anthropic', 'bash', line)];
    expect(runsOf(results)).toEqual([0, 0]);
    expect(results.map(({ exitCode }) => exitCode)).toEqual([1, 1]);
  });

  test('a session that asks once more runs it again, and so does a person at once', async () => {
    await using own = await open();
    const results = [];
    for (const provider of ['openai', 'openai', 'openai', 'you', 'anthropic'])
      results.push(await own.call(provider, 'bash', LINE));
    expect(runsOf(results)).toEqual([0, 0, 1, 2, 2]);
  });

  test.for<[string, (workspace: string) => void]>([
    ['a changed file', (at) => writeFileSync(join(at, 'src/a.ts'), 'two\n')],
    ['a new file', (at) => writeFileSync(join(at, 'src/b.ts'), '')],
    ['a removed file', (at) => rmSync(join(at, 'src/a.ts'))],
    ['a changed file that git ignores', (at) => writeFileSync(join(at, 'out/.keep'), 'x')],
    [
      'a change that keeps size and modification time',
      (at) => {
        const file = join(at, 'src/a.ts');
        const { atime, mtime } = statSync(file);
        writeFileSync(file, readFileSync(file, 'utf8').replace('one', 'two'));
        utimesSync(file, atime, mtime);
      },
    ],
  ])('%s makes it run again', async ([, change]) => {
    await using own = await open();
    const first = await own.call('openai', 'bash', LINE);
    change(own.workspace);
    expect(runsOf([first, await own.call('anthropic', 'bash', LINE)])).toEqual([0, 1]);
  });

  test('a build that only writes what git ignores is not repeated; one that changes other files is', async () => {
    await using own = await open();
    const build = { line: 'npm run build --silent' };
    const first = await own.call('openai', 'bash', build);
    const written = own.read('out/id.txt');
    const second = await own.call('anthropic', 'bash', build);
    expect([second.reusedFrom?.commandId, own.read('out/id.txt')]).toEqual([first.commandId, written]);

    writeFileSync(join(own.workspace, '.gitignore'), '');
    const third = await own.call('openai', 'bash', build);
    const fourth = await own.call('anthropic', 'bash', build);
    expect([third.reusedFrom, fourth.reusedFrom]).toEqual([undefined, undefined]);
  });

  test('other lines, other arguments and other environments always run', async () => {
    await using own = await open();
    const other = 'echo $RANDOM$RANDOM$RANDOM';
    const lines = [other, 'npm test --silent -- a', LINE.line, `${LINE.line}; ${other}`, other];
    const results = [];
    for (const line of lines) results.push(await own.call('openai', 'bash', { line }));
    const env = { env: { COLOR: '1' } };
    results.push(await own.submit('anthropic', 'bash', { args: LINE, context: env }).result);
    expect(runsOf(results)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('the tools for tests and linters share too, whatever their line is', async () => {
    await using own = await open({ tests: `bash -c "${UUID}"` });
    const results = [await own.call('openai', 'run_tests', {}), await own.call('anthropic', 'run_tests', {})];
    expect(runsOf(results)).toEqual([0, 0]);
  });
});

test('a model can leave no result behind for files that it has changed and put back', async () => {
  await using own = await open();
  const manifest = join(own.workspace, 'package.json');
  const { atime, mtime } = statSync(manifest);
  const honest = readFileSync(manifest, 'utf8');
  writeFileSync(
    manifest,
    honest.replace(`"test":"${UUID}"`, `"test":"echo all passed"`.padEnd(UUID.length + 9)),
  );
  const forged = await own.call('openai', 'bash', LINE);
  writeFileSync(manifest, honest);
  utimesSync(manifest, atime, mtime);
  const next = await own.call('anthropic', 'bash', LINE);
  expect([forged.stdout, next.reusedFrom]).toEqual(['all passed\n', undefined]);
  expect(next.stdout).not.toBe(forged.stdout);
});

test('on Redis results are used again, and a change makes it run again', async () => {
  const server = await startRedisServer(['--appendonly', 'yes']);
  onTestFinished(() => server.close());
  await using own = await openTestRuntime({
    files: FILES,
    settings: { ...FREE, backend: 'redis' },
    apiKeys: { SIGNALBOX_REDIS_URL: server.url },
  });
  const results = [await own.call('openai', 'bash', LINE), await own.call('anthropic', 'bash', LINE)];
  await own.call('openai', 'write_file', { path: 'src/new.ts', content: 'x\n' });
  results.push(await own.call('codex', 'bash', LINE));
  expect(runsOf(results)).toEqual([0, 0, 1]);
});

test('without the cache everything runs (setting: tools.result_cache.enabled) (S001-84)', async () => {
  await using own = await open({ tools: { result_cache: { enabled: false } } });
  const results = [await own.call('openai', 'bash', LINE), await own.call('anthropic', 'bash', LINE)];
  expect(runsOf(results)).toEqual([0, 1]);
});
