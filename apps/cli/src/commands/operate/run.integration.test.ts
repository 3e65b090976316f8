import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startRedisServer } from '@signalbox/redis/testing';
import { expect, onTestFinished, test } from 'vitest';
import { writeOwnSettings } from '../../testing/own-settings.ts';
import { scriptOf, TESTS, workspaceFor, write } from '../../testing/scripted-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const AS = ['-c', 'user.name=mira', '-c', 'user.email=mira@example.org'];

test('two providers do a task in one tree; the table is the answer, the rest goes to standard error (S000-96, S002-38, S002-45, S003-85, U-20)', async () => {
  const workspace = await workspaceFor(
    scriptOf('anthropic', [write('a.txt')]),
    scriptOf('openai', [write('b.txt')]),
  );
  const { exit, out, talk } = await createTestTerminal(workspace).signalbox(
    'run',
    'Finish',
    '-p',
    'anthropic',
    '-p',
    'openai',
  );
  expect(talk).toContain(`✓ ${TESTS} passed after`);
  expect(exit).toBe(0);
  expect(['a.txt', 'b.txt'].map((file) => readFileSync(join(workspace, file), 'utf8'))).toEqual([
    'done\n',
    'done\n',
  ]);
  expect(out.split('\n').map((row) => row.split(/ {2,}/).slice(0, 4))).toEqual([
    ['PROVIDER', 'TURNS', 'COMMANDS', 'FILES'],
    ['anthropic', '2', '1', '1'],
    ['openai', '2', '1', '1'],
    ['Total', '4', '2', '2'],
    [''],
  ]);
  expect(talk).toContain('2 files changed, +2 -0');
});

test('a run prints what models say, and counts the files changed by a shell line, too (U-B9, S003-66)', async () => {
  const workspace = await workspaceFor(
    scriptOf('openai', [{ tool: 'bash', args: { line: "sed -i 's/x/y/' *.txt" } }]),
  );
  for (const name of ['a', 'b', 'c']) writeFileSync(join(workspace, `${name}.txt`), 'x\nx\nkept\n');
  let drawn = '';
  const { talk } = await createTestTerminal(workspace, {
    onAsked: () => undefined,
    onDraw: (bytes) => (drawn += bytes),
  }).signalbox('run', 'Finish', '--until', 'true');
  expect(drawn).toMatch(/openai +› openai at work/);
  expect(drawn).toMatch(/bash sed -i 's\/x\/y\/' \*\.txt +3 files \+6 -6/);
  expect(talk).toContain('3 files changed, +6 -6');
  const plain = await createTestTerminal(workspace).signalbox('run', 'Finish', '--until', 'true');
  expect(plain.talk).toMatch(/Z says +openai +ses_\w+ openai at work/);
});

test('a run counts caches apart: files that the last commit ignores, whatever a provider writes into .gitignore', async () => {
  const line = "mkdir cache && touch cache/a cache/b && echo 'b.txt' >> .gitignore && echo 1 > b.txt";
  const workspace = await workspaceFor(scriptOf('openai', [{ tool: 'bash', args: { line } }]));
  writeFileSync(join(workspace, '.gitignore'), 'cache\n');
  for (const argv of [
    ['init', '-q'],
    ['add', '.gitignore'],
    [...AS, 'commit', '-qm', 'Start'],
  ])
    execFileSync('git', argv, { cwd: workspace });
  const { talk, out } = await createTestTerminal(workspace).signalbox('run', 'Finish', '--until', 'true');
  expect(talk).toContain('2 files changed, +2 -0 · 2 files that git ignores');
  expect(talk).not.toMatch(/^ {2}cache\/a/m);
  expect(talk).toMatch(/^ {2}b\.txt {2}openai/m);
  expect(out).toMatch(/^openai +2 +1 +2 /m);
});

test('a run names the backend that it works on (S003-B2) (setting: backend)', async () => {
  const server = await startRedisServer(['--appendonly', 'yes']);
  onTestFinished(() => server.close());
  const workspace = await workspaceFor(scriptOf('openai', []));
  writeFileSync(join(workspace, 'signalbox.yaml'), 'backend: redis\n');
  const env = { SIGNALBOX_REDIS_URL: server.url };
  const argv = ['run', 'Finish', '--until', 'true'];
  expect((await createTestTerminal(workspace, { env }).signalbox(...argv)).talk).toContain(
    'NORMAL · Redis · ',
  );
  const embedded = await workspaceFor(scriptOf('openai', []));
  expect((await createTestTerminal(embedded).signalbox(...argv)).talk).toContain('NORMAL · embedded · ');
});

test('a run whose tests fail exits with 1, and --json prints events and a summary', async () => {
  const workspace = await workspaceFor(scriptOf('openai', [write('a.txt')]));
  const { exit, out } = await createTestTerminal(workspace).signalbox('run', 'Finish', '--json');
  expect(exit).toBe(1);
  const lines = out
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row) as Record<string, unknown>);
  expect(lines.map(({ type }) => type)).toContain('session_ended');
  expect(lines.at(-1)).toMatchObject({
    event: 'run.ended',
    summary: {
      until: { line: TESTS, passed: false, exitCode: 2 },
      providers: [{ provider: 'openai', turns: 3 }],
      checks: [
        { round: 1, next: 'again' },
        { round: 2, next: 'repeated' },
      ],
    },
  });
});

test('without prompts the way to answer is printed', async () => {
  const workspace = await workspaceFor(
    scriptOf('openai', [{ tool: 'bash', args: { line: 'rm -rf a.txt' } }]),
  );
  const reported = Promise.withResolvers<string>();
  const terminal = createTestTerminal(workspace, { onTalk: reported.resolve });
  const running = terminal.signalbox('run', 'Finish', '--until', 'true');
  const how = /signalbox deny (\w{4}) --expect ([0-9a-f]{8})/.exec(await reported.promise);
  const denied = await terminal.signalbox(
    'deny',
    how?.[1] ?? '',
    '--expect',
    how?.[2] ?? '',
    '-m',
    'keep it',
  );
  expect(denied.exit).toBe(0);
  const { talk } = await running;
  expect(talk).toContain('keep it');
});

test('a run in which no provider could be reached exits with 6, and runs no tests (U: README)', async () => {
  const workspace = await workspaceFor();
  const away = 'openai: { api: openai-chat, base_url: http://127.0.0.1:9/v1, model: m, api_key_env: null }';
  await writeOwnSettings(workspace, { text: `providers:\n  ${away}\n` });
  const terminal = createTestTerminal(workspace);
  const { exit, talk } = await terminal.signalbox('run', 'Finish', '-p', 'openai', '--until', 'touch tested');
  expect(exit).toBe(6);
  expect(existsSync(join(workspace, 'tested'))).toBe(false);
  expect(talk).toContain('0 of 1 session finished');
  expect(talk).toContain('is its base_url right? http://127.0.0.1:9/v1');
});
