import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandResult } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { createTestWorkspace, openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';

const SETTINGS = {
  approval: { approval_mode: 'allow_all' },
  tools: { shell: { on_conflict: 'conflict' } },
} as const;

/** Announces its start, and continues when a file appears in a folder that it has not read before. */
const WAIT = 'echo ready; until ls signals | grep -qx go; do sleep 0.02; done';
const FILES = { 'signals/begin': '', 'da/c': '0\n', 'da/other': 'x\n', c0: '0\n' };

/** Runs a script, and something else once it has read its input. */
async function runBeside(own: TestRuntime, script: string, beside: () => unknown): Promise<CommandResult> {
  writeFileSync(join(own.workspace, 'slow.sh'), script);
  const slow = own.submit('openai', 'bash', { args: { line: 'bash slow.sh' } });
  await own.event('command_output', ({ commandId }) => commandId === slow.commandId);
  await beside();
  writeFileSync(join(own.workspace, 'signals/go'), '');
  return slow.result;
}

test('a script that writes a file that another command wrote meanwhile, with the same times, is a conflict (F-B1) (setting: tools.shell.on_conflict)', async () => {
  await using own = await openTestRuntime({ settings: SETTINGS, files: FILES });
  const add = 'echo $((n + 1)) > c0; touch -d @1700000000 c0; chmod 644 c0';
  const done = await runBeside(own, `n=$(cat c0); ${WAIT}; ${add}`, async () => {
    writeFileSync(join(own.workspace, 'fast.sh'), `n=$(cat c0); ${add}`);
    expect((await own.call('anthropic', 'bash', { line: 'bash fast.sh' })).success).toBe(true);
  });
  expect(done).toMatchObject({ outcome: { kind: 'conflict' }, files: [] });
  expect(done.failure?.why).toEqual([expect.stringContaining('c0: ')]);
  expect(own.read('c0')).toBe('1\n');
});

describe('a folder renamed or removed during a script is a conflict that names it (F-B2)', () => {
  const ADD = 'echo $((n + 1)) > da/c';
  const PYTHON = `python3 -c "open('da/c','w').write('1')"`;
  const ATOMIC = 'echo $((n + 1)) > t; mv t da/c';

  const MOVED = ['db/c', 'db/other'];

  test.for([
    ['a script that writes a file in it', ADD, 'mv da db', 'da', MOVED],
    ['a program that opens a file in it', PYTHON, 'mv da db', 'da', MOVED],
    ['a script that replaces a file in it', ATOMIC, 'mv da db', 'da', MOVED],
    ['a script that makes a file in it', 'echo n > da/new', 'mv da db', 'da', MOVED],
    ['a script whose file is removed', ADD, 'rm da/c', 'da/c', ['da/other']],
    ['a script whose file is removed and that replaces it', ATOMIC, 'rm da/c', 'da/c', ['da/other']],
    ['a script whose folder is recreated', ADD, 'mv da db; mkdir da', 'da/c', MOVED],
    ['a script that moves the file itself', 'mv da/c moved', 'mv da/c da/d', 'moved', ['da/d', 'da/other']],
  ] as const)('%s', async ([, change, line, named, left]) => {
    await using own = await openTestRuntime({ settings: SETTINGS, files: FILES });
    const done = await runBeside(own, `n=$(cat da/c); ${WAIT}; ${change}`, async () => {
      expect((await own.call('anthropic', 'bash', { line })).success).toBe(true);
    });
    expect(done).toMatchObject({ outcome: { kind: 'conflict' }, files: [] });
    expect(done.failure?.why?.join('\n')).toContain(`${named}: removed or renamed while the command ran`);
    const names = readdirSync(own.workspace, { recursive: true, encoding: 'utf8' });
    expect(names.filter((name) => /^d\w\//.test(name)).toSorted()).toEqual(left);
  });

  test.for([
    ['renamed', 'da', (folder: string) => renameSync(join(folder, 'da'), join(folder, 'db'))],
    ['removed', 'da', (folder: string) => rmSync(join(folder, 'da'), { recursive: true })],
  ] as const)('also when it is %s by hand', async ([, named, byHand]) => {
    await using own = await openTestRuntime({ settings: SETTINGS, files: FILES });
    const done = await runBeside(own, `n=$(cat da/c); ${WAIT}; ${ADD}`, () => byHand(own.workspace));
    expect(done).toMatchObject({ outcome: { kind: 'conflict' }, files: [] });
    expect(done.failure?.why?.join('\n')).toContain(`${named}: removed or renamed while the command ran`);
    expect(existsSync(join(own.workspace, 'da'))).toBe(false);
  });

  test('but not if the command itself moved it', async () => {
    await using own = await openTestRuntime({ settings: SETTINGS, files: FILES });
    const script = `${WAIT}; mv da dc; mv c0 dc/c0; mkdir -p da/sub; cp dc/c da/sub/c; rm -r dc/other`;
    const done = await runBeside(own, script, () =>
      own.call('anthropic', 'bash', { line: 'echo x > beside' }),
    );
    expect(done.outcome).toEqual({ kind: 'completed' });
    expect([readdirSync(join(own.workspace, 'dc')), own.read('da/sub/c')]).toEqual([['c', 'c0'], '0\n']);
  });
});

describe('a script with unforeseeable writes', () => {
  const { approval } = SETTINGS;
  const BUMP = 'n=$(cat c0); echo $((n + 1)) > c0';

  test(
    'counts for each of six agents that run it five times concurrently, with default settings (F-W1, S003-14)',
    { timeout: 120_000 },
    async () => {
      // The same agent may repeat the same call.
      const tools = { repeated_calls: { point_out: null, refuse: null } };
      await using own = await openTestRuntime({
        settings: { approval, tools },
        files: { c0: '0\n', 'bump.sh': BUMP },
      });
      const agents = ['openai', 'anthropic', 'deepseek', 'google', 'mistral', 'xai'];
      const runs = await Promise.all(
        agents.map(async (agent) => {
          const outcomes: string[] = [];
          for (let run = 0; run < 5; run++)
            outcomes.push((await own.call(agent, 'bash', { line: 'sh bump.sh' })).outcome.kind);
          return outcomes;
        }),
      );
      expect(runs.flat()).toEqual(Array.from({ length: 30 }, () => 'completed'));
      expect(own.read('c0')).toBe('30\n');
    },
  );

  test('claims what it wrote before it starts, once it was in conflict, also after a restart', async () => {
    const workspace = createTestWorkspace(FILES);
    const claimsOfNext = async (own: TestRuntime): Promise<unknown> => {
      writeFileSync(join(own.workspace, 'slow.sh'), 'echo x > c0');
      const { commandId } = own.submit('openai', 'bash', { args: { line: 'bash slow.sh' } });
      const { claims } = await own.event('command_started', (event) => event.commandId === commandId);
      await own.ended(commandId);
      return claims;
    };
    const claim = { resource: 'path:c0', access: 'write' };
    const first = await openTestRuntime({ settings: SETTINGS, workspace });
    const done = await runBeside(first, `${WAIT}; echo slow > c0`, () =>
      first.call('anthropic', 'bash', { line: 'echo fast > c0' }),
    );
    expect(done.outcome.kind).toBe('conflict');
    expect(await claimsOfNext(first)).toContainEqual(claim);
    await first.leave();
    await using again = await openTestRuntime({ settings: SETTINGS, workspace });
    expect(await claimsOfNext(again)).toContainEqual(claim);
  });
});

test.for([
  [
    'by a signal',
    'echo half > c0; kill -KILL $$',
    'Killed by signal SIGKILL; its file changes were discarded',
  ],
  [
    'in its last program',
    'echo half > c0; (kill -SEGV $BASHPID); exit',
    'Exit code 139; its file changes were discarded',
  ],
])('a command that is killed %s commits nothing, and says so (R-D)', async ([, line, said]) => {
  await using own = await openTestRuntime({ settings: SETTINGS, files: FILES });
  const done = await own.call('openai', 'bash', { line });
  expect(done).toMatchObject({ outcome: { kind: 'failed' }, files: [] });
  expect(done.content).toContain(said);
  expect(own.read('c0')).toBe('0\n');
});

test('a killed command’s files are committed if the settings say so, and so are those of a broken pipe (setting: tools.shell.keep_on_signal)', async () => {
  const tools = { shell: { keep_on_signal: true } };
  await using own = await openTestRuntime({ settings: { ...SETTINGS, tools }, files: FILES });
  await own.call('openai', 'bash', { line: 'echo kept > c0; kill -KILL $$' });
  expect(own.read('c0')).toBe('kept\n');
  await using other = await openTestRuntime({ settings: SETTINGS, files: FILES });
  await other.call('openai', 'bash', { line: 'set -o pipefail; echo kept > c0; yes | head -1' });
  expect(other.read('c0')).toBe('kept\n');
});

test('a file that was never read is shown when its write is rejected, which does not count for calls of the same turn', async () => {
  await using own = await openTestRuntime({ settings: SETTINGS, files: FILES });
  const write = { path: 'da/c', content: '1\n' };
  const turn = [
    own.submit('openai', 'write_file', { args: write }),
    own.submit('openai', 'write_file', { args: write }),
  ];
  const refused = await Promise.all(turn.map(({ result }) => result));
  expect(refused.map(({ outcome }) => outcome.kind)).toEqual(['conflict', 'conflict']);
  expect(refused[0]?.content).toContain('da/c holds:\n0\n');
  expect(own.read('da/c')).toBe('0\n');
  expect((await own.call('openai', 'write_file', write)).success).toBe(true);
  expect(own.read('da/c')).toBe('1\n');
});

test('with files.stale_write: merge a stale edit is merged (setting: files.stale_write)', async () => {
  const text = 'a\nb\nc\nd\ne\n';
  const settings = { ...SETTINGS, files: { stale_write: 'merge' } };
  await using own = await openTestRuntime({ settings, files: { 'a.txt': text } });
  await own.call('openai', 'read_file', { path: 'a.txt' });
  writeFileSync(join(own.workspace, 'a.txt'), text.replace('e', 'by hand'));
  const edit = { path: 'a.txt', oldText: 'a\n', newText: 'mine\n' };
  const done = await own.call('openai', 'edit_file', edit);
  expect(done.content).toContain('merged with what others changed since you read it:');
  expect(own.read('a.txt')).toBe('mine\nb\nc\nd\nby hand\n');
});
