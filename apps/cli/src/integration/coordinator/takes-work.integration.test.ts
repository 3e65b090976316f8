import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aSessionId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';

const FILES = { 'a.txt': 'one\n', 'b.txt': 'one\n', 'notes.md': 'one\n' };

test.for([
  ['git stash', 'a.txt (openai); notes.md (by hand)'],
  ['git restore a.txt', 'a.txt (openai)'],
  ['git checkout -- .', 'a.txt (openai); notes.md (by hand)'],
  ['git reset --hard', 'a.txt (openai); notes.md (by hand)'],
  ['git clean -f', 'new.txt (openai)'],
  ['git checkout HEAD a.txt', 'a.txt (openai)'],
  ['git checkout HEAD -- a.txt', 'a.txt (openai)'],
  ['git switch -f main', 'a.txt (openai); notes.md (by hand)'],
  ['git read-tree --reset -u HEAD', 'a.txt (openai); notes.md (by hand)'],
  ['git merge --abort', 'a.txt (openai); notes.md (by hand)'],
] as const)(
  '%s needs approval, which names the owners of the uncommitted files it would overwrite',
  async ([line, owners]) => {
    await using own = await openTestRuntime({ files: FILES });
    expect((await own.call('openai', 'bash', { line: 'echo two > a.txt' })).success).toBe(true);
    writeFileSync(join(own.workspace, 'notes.md'), 'mine\n');
    if (line.includes('clean')) await own.call('openai', 'bash', { line: 'echo two > new.txt' });
    const asked = own.submit('anthropic', 'bash', { args: { line } });
    await own.event('approval_requested', ({ commandId }) => commandId === asked.commandId);
    const preview = await own.runtime.coordinator.approvals.preview(asked.commandId);
    expect(preview?.parts[0]).toMatchObject({ kind: 'diff', heading: `Uncommitted work: ${owners}` });
    expect([own.read('a.txt'), own.read('notes.md')]).toEqual(['two\n', 'mine\n']);
  },
);

test('an approval that affects the work of the session itself, or of another session of its provider, says so', async () => {
  await using own = await openTestRuntime({ files: FILES });
  expect((await own.call('openai', 'bash', { line: 'echo two > a.txt' })).success).toBe(true);
  const context = { sessionId: aSessionId('another') };
  await own.submit('openai', 'bash', { args: { line: 'echo two > b.txt' }, context }).result;
  const asked = own.submit('openai', 'bash', { args: { line: 'git reset --hard' } });
  await own.event('approval_requested', ({ commandId }) => commandId === asked.commandId);
  const record = await own.runtime.coordinator.status(asked.commandId);
  const preview = await own.runtime.coordinator.approvals.preview(asked.commandId);
  expect([preview?.parts[0], record?.ruling?.reason]).toEqual([
    expect.objectContaining({
      heading: 'Uncommitted work: a.txt (its own); b.txt (openai, another session)',
    }),
    expect.not.stringContaining('of others'),
  ]);
});

test('without uncommitted work the approval names none, and a commit’s approval mentions no such work', async () => {
  await using own = await openTestRuntime({ files: FILES });
  const asked = own.submit('anthropic', 'bash', { args: { line: 'git restore a.txt' } });
  await own.event('approval_requested', ({ commandId }) => commandId === asked.commandId);
  const preview = await own.runtime.coordinator.approvals.preview(asked.commandId);
  expect(preview?.parts).toEqual([]);
  expect((await own.call('openai', 'bash', { line: 'git commit -q --allow-empty -m x' })).success).toBe(true);
});
