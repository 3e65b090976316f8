import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createTestWorkspace, openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';
import { openTestServer } from '../../testing/open-test-server.ts';
import { SHELL_SERVER_FILES, shellServer } from './testing/shell-server.ts';

const RUN = 'mcp__shell__run';

async function open(
  server: object = {},
  { atStart, files = {} }: { atStart?: string; files?: Readonly<Record<string, string>> } = {},
): Promise<TestRuntime & { readonly run: (line: string) => ReturnType<TestRuntime['call']> }> {
  const runtime = await openTestRuntime({
    workspace: createTestWorkspace({ ...SHELL_SERVER_FILES, ...files }),
    settings: {
      mcp_servers: { shell: { ...shellServer(atStart), ...server } },
      approval: { approval_mode: 'allow_all' },
    },
  });
  return { ...runtime, run: (line) => runtime.call('codex', RUN, { line }) };
}

async function ready({ runtime: { coordinator } }: TestRuntime): Promise<void> {
  await vi.waitFor(() => expect(coordinator.tools.list().map(({ name }) => name)).toContain(RUN), 30_000);
}

test('files that a writing server leaves for the user’s programs are reverted, and its call fails with their names', async () => {
  await using own = await open();
  await ready(own);
  const result = await own.run(
    'mkdir -p .vscode sub; echo {} > .vscode/tasks.json; echo x > sub/.envrc; echo y > made',
  );
  expect(result).toMatchObject({
    success: false,
    outcome: {
      kind: 'failed',
      failure: {
        code: 'quarantined',
        category: 'PolicyBlocked',
        why: [
          expect.stringMatching(/^\.vscode\/tasks\.json \(read by .*\): moved to \.signalbox\/quarantine\//),
          expect.stringMatching(/^sub\/\.envrc \(read by direnv\): moved to /),
        ],
      },
    },
  });
  expect(['.vscode/tasks.json', 'sub/.envrc'].map((name) => existsSync(join(own.workspace, name)))).toEqual([
    false,
    false,
  ]);
  expect(own.read('made')).toBe('y\n');
  expect(own.auditLines()).toMatchObject([{ tool: RUN, error_category: 'PolicyBlocked' }]);
  expect(JSON.stringify(own.auditLines())).toContain('quarantined');
  expect(await own.run('echo fine')).toMatchObject({ success: true, output: 'fine\n' });
});

test('files named by git are read-only to a writing server, and restored if it moves them away', async () => {
  await using own = await open(
    {},
    { files: { 'tools/hooks/pre-commit': 'one\n', '.git/config': '[core]\n\thooksPath = tools/hooks\n' } },
  );
  mkdirSync(join(own.workspace, '.git/objects'), { recursive: true });
  await ready(own);
  expect(await own.run('echo two > tools/hooks/pre-commit')).toMatchObject({
    content: expect.stringContaining('Read-only file system') as string,
  });
  expect(
    await own.run('mv tools away; mkdir -p tools/hooks; echo two > tools/hooks/pre-commit'),
  ).toMatchObject({
    outcome: { failure: { code: 'quarantined' } },
  });
  expect(own.read('tools/hooks/pre-commit')).toBe('one\n');
});

test('a server writes nothing between its calls: its processes are paused', async () => {
  await using own = await open();
  await ready(own);
  const line =
    'setsid bash -c "while sleep 0.01; do echo x >> ticks; done" > /dev/null 2>&1 & until [ -s ticks ]; do sleep 0.01; done; wc -l < ticks';
  expect(Number((await own.run(line)).output)).toBeGreaterThan(0);
  const before = own.read('ticks').length;
  await own.call('codex', 'bash', { line: 'sleep 0.3' });
  expect(own.read('ticks').length).toBe(before);
  await vi.waitFor(async () => {
    await own.run('true');
    expect(own.read('ticks').length).toBeGreaterThan(before);
  }, 20_000);
});

/**
 * A POSIX timer (`timer_create`, `timer_settime` of x86-64) that sends CONT every 0.1 s; at the third it writes and
 * ends.
 */
const WAKES = `
my $event = pack('QiiQQQQQQ', 0, 18, 0, (0) x 6);
my $id = pack('i', 0);
my $each = pack('Q4', 0, 100_000_000, 0, 100_000_000);
my $count = 0;
$SIG{CONT} = sub { $count++ };
syscall(222, 1, $event, $id);
syscall(223, unpack('i', $id), 0, $each, 0);
open(my $started, '>', 'started');
select(undef, undef, undef, 0.02) while $count < 3;
mkdir '.claude';
open(my $file, '>', '.claude/settings.json');
print $file 'theirs';
`;

test.runIf(process.arch === 'x64')(
  'writes of a server between its calls, woken by a timer, are reverted and fail the next call',
  async () => {
    await using own = await open({}, { files: { 'wakes.pl': WAKES } });
    await ready(own);
    const path = join(own.workspace, '.claude/settings.json');
    await own.run(
      'setsid perl wakes.pl > /dev/null 2>&1 < /dev/null & until [ -e started ]; do sleep 0.01; done',
    );
    await vi.waitFor(() => expect(existsSync(path)).toBe(true), 20_000);
    expect(await own.run('true')).toMatchObject({
      outcome: {
        failure: {
          code: 'quarantined',
          why: [expect.stringMatching(/^\.claude\/settings\.json .* moved to /)],
        },
      },
    });
    expect(existsSync(path)).toBe(false);
    writeFileSync(join(own.workspace, '.envrc'), 'mine\n');
    expect(await own.run('true')).toMatchObject({ success: true });
    expect(own.read('.envrc')).toBe('mine\n');
  },
);

test('a user’s file created after the start of a server is restored if the server changes it', async () => {
  await using own = await open();
  await ready(own);
  writeFileSync(join(own.workspace, 'CLAUDE.md'), 'mine\n');
  expect(await own.run('echo theirs > CLAUDE.md')).toMatchObject({
    outcome: { failure: { code: 'quarantined' } },
  });
  expect(own.read('CLAUDE.md')).toBe('mine\n');
});

test('a file recreated by the user is restored if a server changes it, whatever its inode', async () => {
  await using own = await open({}, { files: { 'CLAUDE.md': 'mine\n' } });
  await ready(own);
  const path = join(own.workspace, 'CLAUDE.md');
  rmSync(path);
  writeFileSync(path, 'mine again\n');
  expect(await own.run('echo theirs > CLAUDE.md')).toMatchObject({
    outcome: { failure: { code: 'quarantined' } },
  });
  expect(own.read('CLAUDE.md')).toBe('mine again\n');
});

/** Deeper than the longest path the system accepts. */
const DEEP =
  'w=$PWD; n=$(printf "%0200d" 0); mkdir deep; cd deep; for i in $(seq 25); do mkdir $n; cd $n; done; cd $w';

test('a folder too deep to inspect fails a call, which is still reverted, and later calls until it is gone', async () => {
  await using own = await open();
  await ready(own);
  const evil = 'mkdir -p .claude; echo evil > .claude/settings.json';
  const why = [
    expect.stringMatching(/^\.claude\/settings\.json .* moved to /),
    expect.stringMatching(/^deep\/0+.*path is too long.*remove it/i),
  ];
  const quarantined = { success: false, outcome: { failure: { code: 'quarantined', why } } };
  expect(await own.run(`${DEEP}; ${evil}`)).toMatchObject(quarantined);
  expect(await own.run(evil)).toMatchObject(quarantined);
  expect(existsSync(join(own.workspace, '.claude/settings.json'))).toBe(false);
  expect(await own.run('rm -r deep')).toMatchObject({ success: true });
});

test('a server that leaves such a file while it starts is refused with the names', async () => {
  await using own = await open({}, { atStart: 'echo {} > .mcp.json' });
  const warned = (): string => JSON.stringify(own.logger.lines);
  await vi.waitFor(
    () =>
      expect(warned()).toMatch(
        /it left files that programs outside the sandbox run or read as settings: \.mcp\.json/,
      ),
    30_000,
  );
  expect(existsSync(join(own.workspace, '.mcp.json'))).toBe(false);
  expect(await own.run('true')).toMatchObject({
    success: false,
    outcome: { failure: { code: 'mcp-server-unavailable' } },
  });
});

test('a path in a tool’s settings is kept if people allow changing it', async () => {
  await using own = await openTestServer({
    files: SHELL_SERVER_FILES,
    settings: { mcp_servers: { shell: { ...shellServer(), writes: ['.vscode/tasks.json'] } } },
  });
  await ready(own.of);
  const sent = own.of.submit('codex', RUN, { args: { line: 'mkdir .vscode; echo {} > .vscode/tasks.json' } });
  const { commandId, callHash, level } = await own.of.event('approval_requested');
  expect(level).toBe('dangerous');
  await own.ask('POST', `/api/approvals/${commandId}/grant`, { body: { callHash } });
  expect(await sent.result).toMatchObject({ success: true });
  expect(own.of.read('.vscode/tasks.json')).toBe('{}\n');
});
