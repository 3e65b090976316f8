import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestHouse, type TestHouse } from './testing/open-test-house.ts';

const ANA = { name: 'ana', channel: 'test' } as const;
const FILES = {
  'a.txt': 'first\n',
  'gone.txt': 'here\n',
  'b.txt': 'first\n',
  'write.sh': 'echo more >> b.txt\n',
  'old.txt': 'old\n',
  'delete.sh': 'rm old.txt\n',
  'commit.sh': 'git commit -q --allow-empty -m unseen\n',
  'quiet.sh': 'cat a.txt > /dev/null; echo x > /tmp/x\n',
};

/** Makes a call that asks, and answers it. */
async function answered(own: TestHouse, line: string, kind: 'approve' | 'deny') {
  const asked = own.submit('openai', 'bash', { line });
  await own.event('approval_requested', ({ commandId }) => commandId === asked.commandId);
  await asked.resting;
  const { record } = asked;
  const hash = record.approval?.callHash;
  if (hash === undefined) throw new Error(`nothing to answer: ${line}`);
  await own.house.coordinator.approvals.answer(asked.commandId, { kind }, ANA, hash);
  return { reason: record.ruling?.reason, result: await asked.result };
}

const TOOLS = ['write_file', 'delete_file', 'git_commit'];
const LISTED = { agents: { tool_execution: { require_approval_tools: TOOLS } } };

test('require_approval_tools means the effect: shell lines and scripts ask as the tools do (S002-36, S002-43)', async () => {
  await using own = await openTestHouse({ files: FILES, settings: LISTED });
  const head = readFileSync(join(own.workspace, '.git/refs/heads/main'), 'utf8');
  for (const [line, reason] of [
    ['echo x > a.txt', 'write_file: writes a.txt'],
    ['sed -i s/f/g/ a.txt', 'write_file: writes a.txt'],
    ['rm gone.txt', 'delete_file: deletes gone.txt'],
    ['git commit -q --allow-empty -m x', 'git_commit: makes'],
    ['git -C . commit -q --allow-empty -m x', 'git_commit: makes'],
    // What scripts do is known when they have run, and asked before anything of it is put.
    ['bash write.sh', 'write_file: writes b.txt'],
    ['sh delete.sh', 'delete_file: deletes old.txt'],
    ['bash commit.sh', 'the current branch'],
  ] as const)
    expect([line, (await answered(own, line, 'deny')).reason]).toEqual([
      line,
      expect.stringContaining(reason),
    ]);
  expect([
    own.read('a.txt'),
    existsSync(join(own.workspace, 'gone.txt')),
    readFileSync(join(own.workspace, '.git/refs/heads/main'), 'utf8'),
  ]).toEqual(['first\n', true, head]);
});

test('such a list asks about nothing that only reads', async () => {
  await using own = await openTestHouse({ files: FILES, settings: LISTED });
  for (const line of ['cat a.txt', 'git log --oneline', 'bash quiet.sh'])
    expect([line, (await own.call('openai', 'bash', { line })).success]).toEqual([line, true]);
});

test('approval.file_writes: ask asks about every change of a file, and a yes to a script covers what it wrote', async () => {
  await using own = await openTestHouse({ files: FILES, settings: { approval: { file_writes: 'ask' } } });
  expect((await own.call('openai', 'bash', { line: 'cat a.txt && bash quiet.sh' })).success).toBe(true);
  const { reason, result } = await answered(own, 'bash write.sh', 'approve');
  expect(reason).toContain('approval.file_writes is ask: writes b.txt');
  expect([result.success, own.read('b.txt')]).toEqual([true, 'first\nmore\n']);
  expect((await answered(own, 'rm gone.txt', 'deny')).reason).toContain('deletes gone.txt');
});

test.for(['when_reversible', 'never'])(
  'approval.file_writes: %s runs what undo takes back, by a tool as by a line; program files ask',
  async (choice) => {
    await using own = await openTestHouse({ files: FILES, settings: { approval: { file_writes: choice } } });
    await own.call('openai', 'read_file', { path: 'a.txt' });
    expect((await own.call('openai', 'write_file', { path: 'a.txt', content: 'x\n' })).success).toBe(true);
    expect((await own.call('openai', 'bash', { line: 'echo y >> a.txt && rm gone.txt' })).success).toBe(true);
    expect((await answered(own, 'echo x > AGENTS.md', 'deny')).reason).toContain('AGENTS.md');
    expect(own.read('a.txt')).toBe('x\ny\n');
  },
);
