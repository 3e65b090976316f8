import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostGit } from '../../testing/host-git.ts';
import { createTestTerminal } from '../../testing/test-context.ts';
import { openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';

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

/** Makes a call that needs approval, and answers it. */
async function answered(own: TestRuntime, line: string, { kind }: Readonly<{ kind: 'approve' | 'deny' }>) {
  const asked = own.submit('openai', 'bash', { args: { line } });
  await own.event('approval_requested', ({ commandId }) => commandId === asked.commandId);
  await asked.resting;
  const { record } = asked;
  const hash = record.approval?.callHash;
  if (hash === undefined) throw new Error(`nothing to answer: ${line}`);
  await own.runtime.coordinator.approvals.answer(asked.commandId, { kind }, { by: ANA, expect: hash });
  return { reason: record.ruling?.reason, result: await asked.result };
}

const TOOLS = ['write_file', 'delete_file', 'git_commit'];
const LISTED = { agents: { tool_execution: { require_approval_tools: TOOLS } } };

test('require_approval_tools applies to the effect: shell lines and scripts need approval as the tools do (S002-36, S002-43) (setting: agents.tool_execution.require_approval_tools)', async () => {
  await using own = await openTestRuntime({ files: FILES, settings: LISTED });
  const head = readFileSync(join(own.workspace, '.git/refs/heads/main'), 'utf8');
  for (const [line, reason] of [
    ['echo x > a.txt', 'write_file: writes a.txt'],
    ['sed -i s/f/g/ a.txt', 'write_file: writes a.txt'],
    ['rm gone.txt', 'delete_file: deletes gone.txt'],
    ['git commit -q --allow-empty -m x', 'git_commit: creates'],
    ['git -C . commit -q --allow-empty -m x', 'git_commit: creates'],
    // Effects of scripts are known after they have run; approval is requested before they are committed.
    ['bash write.sh', 'write_file: writes b.txt'],
    ['sh delete.sh', 'delete_file: deletes old.txt'],
    ['bash commit.sh', 'the current branch'],
  ] as const)
    expect([line, (await answered(own, line, { kind: 'deny' })).reason]).toEqual([
      line,
      expect.stringContaining(reason),
    ]);
  expect([
    own.read('a.txt'),
    existsSync(join(own.workspace, 'gone.txt')),
    readFileSync(join(own.workspace, '.git/refs/heads/main'), 'utf8'),
  ]).toEqual(['first\n', true, head]);
});

test('such a list requires no approval for reads', async () => {
  await using own = await openTestRuntime({ files: FILES, settings: LISTED });
  for (const line of ['cat a.txt', 'git log --oneline', 'bash quiet.sh'])
    expect([line, (await own.call('openai', 'bash', { line })).success]).toEqual([line, true]);
});

test('with approval.file_writes: ask every file change needs approval, and approving a script covers its writes (setting: approval.file_writes)', async () => {
  await using own = await openTestRuntime({ files: FILES, settings: { approval: { file_writes: 'ask' } } });
  expect((await own.call('openai', 'bash', { line: 'cat a.txt && bash quiet.sh' })).success).toBe(true);
  const { reason, result } = await answered(own, 'bash write.sh', { kind: 'approve' });
  expect(reason).toContain('approval.file_writes is ask: writes b.txt');
  expect([result.success, own.read('b.txt')]).toEqual([true, 'first\nmore\n']);
  expect((await answered(own, 'rm gone.txt', { kind: 'deny' })).reason).toContain('deletes gone.txt');
});

test.for(['when_reversible', 'never'])(
  'approval.file_writes: %s allows reversible changes by tools and lines; program files need approval',
  async (choice) => {
    await using own = await openTestRuntime({
      files: FILES,
      settings: { approval: { file_writes: choice } },
    });
    await own.call('openai', 'read_file', { path: 'a.txt' });
    expect((await own.call('openai', 'write_file', { path: 'a.txt', content: 'x\n' })).success).toBe(true);
    expect((await own.call('openai', 'bash', { line: 'echo y >> a.txt && rm gone.txt' })).success).toBe(true);
    expect((await answered(own, 'echo x > AGENTS.md', { kind: 'deny' })).reason).toContain('AGENTS.md');
    expect(own.read('a.txt')).toBe('x\ny\n');
  },
);

/** Whether a call needs approval, and by which rule; not its result. */
async function rulingOf(own: TestRuntime, tool: string, args: Record<string, unknown>) {
  const sent = own.submit('openai', tool, { args });
  const resting = await sent.resting;
  if (resting === 'pending')
    await own.runtime.coordinator.cancel(sent.commandId, { by: 'ana', reason: 'seen' });
  await sent.result;
  return { asks: resting === 'pending', rule: sent.record.ruling?.rule };
}

const ASKS = { policy: 'requires_approval' };
const LISTED_GIT = { agents: { tool_execution: { require_approval_tools: ['git_add', 'git_commit'] } } };
const ALERT = { mode: 'ALERT' };
const BOUND = { tools: { shell: { transactional: false } } };
test.for([
  ['by default', {}, false, 'reversible-auto'],
  ['file_writes: ask', { approval: { file_writes: 'ask' } }, true, 'writes-ask'],
  ['a list of what asks', LISTED_GIT, true, 'writes-ask'],
  ['a tool policy', { tools: { git_commit: ASKS, git_add: ASKS } }, true, 'tool-asks'],
  ['prompt_on_warning', { approval: { prompt_on_warning: true } }, true, 'warning-asks'],
  ['the mode ALERT', ALERT, true, 'mode-asks'],
  ['the workspace itself', BOUND, true, 'warning-asks'],
] as const)(
  'adding and committing are judged alike for tools and lines: %s (J2, D9) (setting: tools.*.policy)',
  async ([, settings, asks, rule]) => {
    await using own = await openTestRuntime({ files: FILES, settings });
    // A call that can't succeed needs no approval.
    for (const path of ['a.txt', 'b.txt']) writeFileSync(join(own.workspace, path), 'changed\n');
    hostGit(own.workspace, 'add', 'b.txt');
    for (const [tool, args] of [
      ['bash', { line: 'git add .' }],
      ['git_add', { paths: ['.'] }],
      ['bash', { line: 'git add . && git commit -q --allow-empty -m x' }],
      ['git_commit', { message: 'x', paths: ['a.txt'] }],
      ['git_commit', { message: 'x' }],
    ] as const)
      expect({ tool, args, ...(await rulingOf(own, tool, args)) }).toEqual({ tool, args, asks, rule });
  },
);

test('undo reverts a commit of the tool like that of a line', async () => {
  await using own = await openTestRuntime({ files: FILES });
  const at = (): string => readFileSync(join(own.workspace, '.git/refs/heads/main'), 'utf8');
  const before = at();
  await own.call('openai', 'bash', { line: 'echo two > a.txt; echo new > new.txt' });
  const done = await own.call('openai', 'git_commit', { message: 'x', paths: ['a.txt', 'new.txt'] });
  expect([done.success, at() === before]).toEqual([true, false]);
  const { signalbox } = createTestTerminal(own.workspace);
  expect((await signalbox('undo', done.commandId)).exit).toBe(0);
  expect(at()).toBe(before);
});
