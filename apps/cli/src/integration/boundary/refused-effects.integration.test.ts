import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@signalbox/core';
import { expect, test } from 'vitest';
import { createTestTerminal } from '../../testing/test-context.ts';
import { hostGit } from '../../testing/host-git.ts';
import { openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';

const ANA = { name: 'ana', channel: 'test' } as const;

/** Two tools need approval, and lines with the same effect don't. */
const settings = {
  rules: [
    { id: 'ask-writes', ask: { tool: 'write_file' } },
    { id: 'ask-deletes', ask: { tool: 'delete_file' } },
  ],
};

/** Makes a call that needs approval, and answers it; returns the approval and the model's text. */
async function answered(
  own: TestRuntime,
  tool: string,
  { args, kind }: Readonly<{ args: JsonObject; kind: 'approve' | 'deny' }>,
) {
  const asked = own.submit('openai', tool, { args });
  await own.event('approval_requested', ({ commandId }) => commandId === asked.commandId);
  // Its event is sent while it is stored, before the coordinator takes the next step.
  const record = (await own.runtime.coordinator.status(asked.commandId)) ?? asked.record;
  await own.runtime.coordinator.approvals.answer(
    asked.commandId,
    { kind },
    { by: ANA, expect: record.approval?.callHash ?? ('' as never) },
  );
  return { record, result: await asked.result };
}

test('a denied file needs approval again, whatever tool or line would change it, until it is granted (S002-43, S002-47)', async () => {
  await using own = await openTestRuntime({ settings, files: { 'README.md': 'first\n', 'src/a.js': '1\n' } });
  for (const path of ['README.md', 'src/a.js']) await own.call('openai', 'read_file', { path });
  const first = await answered(own, 'write_file', {
    args: { path: 'README.md', content: 'x' },
    kind: 'deny',
  });
  expect(first.result.content).toContain('Stop: do not try the same with another tool or line');

  const again = await answered(own, 'bash', { args: { line: 'echo bypass > README.md' }, kind: 'deny' });
  expect(again.record.ruling).toMatchObject({
    rule: 'refused-before',
    reason: expect.stringMatching(/^you refused this \d+ s ago: README\.md \(ana\)$/),
  });
  const same = await answered(own, 'write_file', { args: { path: 'README.md', content: 'y' }, kind: 'deny' });
  expect(same.record.ruling?.reason).toMatch(/^you refused this \d+ s ago: README\.md \(ana\); /);
  // Approval of a line that may write anything does not cover this file.
  await answered(own, 'bash', { args: { line: 'git checkout -q -b aside' }, kind: 'approve' });
  for (const line of [
    'sed -i s/f/g/ README.md',
    'rm README.md',
    'git mv README.md b',
    'cp src/a.js README.md',
  ])
    expect(
      (await answered(own, 'bash', { args: { line }, kind: 'deny' })).record.approval?.status,
    ).toBeDefined();
  expect(readFileSync(join(own.workspace, 'README.md'), 'utf8')).toBe('first\n');

  await answered(own, 'delete_file', { args: { path: 'src/a.js' }, kind: 'deny' });
  await answered(own, 'bash', { args: { line: 'rm src/a.js' }, kind: 'deny' });
  await answered(own, 'bash', { args: { line: 'git rm -rf src' }, kind: 'deny' });
  expect(existsSync(join(own.workspace, 'src/a.js'))).toBe(true);

  // Other files of the session, and other sessions, are not affected.
  expect((await own.call('openai', 'bash', { line: 'echo x > other.md' })).success).toBe(true);
  expect((await own.call('anthropic', 'bash', { line: 'echo theirs > README.md' })).success).toBe(true);

  await answered(own, 'bash', { args: { line: 'echo agreed > README.md' }, kind: 'approve' });
  expect((await own.call('openai', 'bash', { line: 'echo again > README.md' })).success).toBe(true);
});

test('a script can’t do a denied change unseen: approval is requested before anything of it is committed', async () => {
  await using own = await openTestRuntime({
    settings,
    files: { 'README.md': 'first\n', 'x.sh': 'echo bypass > README.md\necho y > y\n' },
  });
  await own.call('openai', 'read_file', { path: 'README.md' });
  await answered(own, 'write_file', { args: { path: 'README.md', content: 'x' }, kind: 'deny' });
  const script = await answered(own, 'bash', { args: { line: 'bash x.sh' }, kind: 'deny' });
  expect(script.record.verdict?.reasons[0]?.text).toMatch(/^you refused this \d+ s ago: README\.md/);
  expect(script.result.success).toBe(false);
  expect([
    readFileSync(join(own.workspace, 'README.md'), 'utf8'),
    existsSync(join(own.workspace, 'y')),
  ]).toEqual(['first\n', false]);
});

async function free(own: TestRuntime, line: string): Promise<void> {
  expect([line, (await own.call('openai', 'bash', { line })).success]).toEqual([line, true]);
}

test('a denied ref needs approval again, and no other ref does (S002-43)', async () => {
  const files = { 'tag.sh': 'git tag -f -m other v1\n' };
  await using own = await openTestRuntime({ files });
  await free(own, 'git tag v1');
  await answered(own, 'bash', { args: { line: 'git tag -d v1' }, kind: 'deny' });
  const again = await answered(own, 'bash', { args: { line: 'git tag v1 -m again' }, kind: 'deny' });
  expect(again.record.ruling).toMatchObject({
    rule: 'refused-before',
    reason: expect.stringMatching(/^you refused this \d+ s ago: tag v1 \(ana\)$/),
  });
  expect(again.result.content).toContain('Stop: do not try the same with another tool or line');
  const script = await answered(own, 'bash', { args: { line: 'bash tag.sh' }, kind: 'deny' });
  expect(script.record.ruling?.reason).toMatch(/tag v1 \(ana\)/);
  await free(own, 'git tag v2');
  await free(own, 'git commit -q --allow-empty -m x');
  await free(own, 'git branch topic');
});

test('a denied push needs approval again, and a tag or a commit does not', async () => {
  await using own = await openTestRuntime({ files: { 'other.sh': 'git tag v3\n' } });
  hostGit(own.workspace, 'remote', 'add', 'origin', 'https://git.example/a.git');
  await answered(own, 'bash', { args: { line: 'git push origin main' }, kind: 'deny' });
  await free(own, 'git tag x');
  await free(own, 'git commit -q --allow-empty -m y');
  await free(own, 'bash other.sh');
  for (const line of ['git push origin heads/main', 'git push']) {
    const pushed = await answered(own, 'bash', { args: { line }, kind: 'deny' });
    expect(pushed.record.ruling?.reason).toMatch(/^you refused this \d+ s ago: push main \(ana\); /);
  }
});

test('a denied push requires no approval for a line that only changes the checkout or local refs (S002-43)', async () => {
  await using own = await openTestRuntime({ files: { 'a.txt': 'a\n' } });
  hostGit(own.workspace, 'remote', 'add', 'origin', 'https://git.example/a.git');
  hostGit(own.workspace, 'branch', 'topic');
  await answered(own, 'bash', { args: { line: 'git push origin main' }, kind: 'deny' });
  for (const line of [
    'git checkout -q topic',
    'git checkout -q -b aside',
    'git switch -q main',
    'git rebase topic',
  ]) {
    const asked = own.submit('openai', 'bash', { args: { line } });
    const isOf = ({ commandId }: { readonly commandId: string }): boolean => commandId === asked.commandId;
    await Promise.race([asked.result, own.event('approval_requested', isOf)]);
    const { ruling } = (await own.runtime.coordinator.status(asked.commandId)) ?? asked.record;
    expect([line, ruling?.reason]).toEqual([line, expect.not.stringContaining('you refused')]);
    await own.runtime.coordinator.cancel(asked.commandId, { by: 'ana' });
  }
});

test('policy explain gives the same reason for a denied call as its approval', async () => {
  await using own = await openTestRuntime({ files: { 'a.txt': 'a\n' } });
  await free(own, 'git tag v1');
  await answered(own, 'bash', { args: { line: 'git tag -d v1' }, kind: 'deny' });
  const again = await answered(own, 'bash', { args: { line: 'git tag v1 -m again' }, kind: 'deny' });
  const { talk, out } = await createTestTerminal(own.workspace).signalbox(
    'policy',
    'explain',
    again.record.id,
  );
  expect(`${out}${talk}`).toMatch(/Rule +refused-before \(/);
  expect(`${out}${talk}`).toContain('you refused this');
  expect(`${out}${talk}`).not.toContain('.signalbox/local.yaml would allow');
});

test('a denial outlives the coordinator', async () => {
  const files = { 'README.md': 'first\n' };
  const first = await openTestRuntime({ settings, files });
  await first.call('openai', 'read_file', { path: 'README.md' });
  await answered(first, 'write_file', { args: { path: 'README.md', content: 'x' }, kind: 'deny' });
  await first.leave();
  await using own = await openTestRuntime({ settings, workspace: first.workspace });
  const again = await answered(own, 'bash', { args: { line: 'echo bypass > README.md' }, kind: 'deny' });
  expect(again.record.ruling?.reason).toMatch(/^you refused this \d+ s ago: README\.md \(ana\)$/);
});
