import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyAudit } from '@signalbox/coordinator';
import { expect, test } from 'vitest';
import { openTestHouse } from './testing/open-test-house.ts';

const TRANSACTIONAL = {
  approval: { approval_mode: 'allow_all' },
  tools: { shell: { transactional: true } },
} as const;

test('a shell line says in result and audit which files it changed (G6, H5)', async () => {
  await using own = await openTestHouse({
    settings: TRANSACTIONAL,
    files: { 'a.txt': 'a\n', 'old.txt': 'o\n' },
  });
  const done = await own.call('openai', 'bash', { line: 'echo b > a.txt; rm old.txt; echo n > new.txt' });
  expect(done).toMatchObject({
    success: true,
    isolation: { layer: 'overlay', tracking: { strength: 'enforced' } },
    files: [
      { path: 'a.txt', kind: 'modified' },
      { path: 'new.txt', kind: 'created' },
      { path: 'old.txt', kind: 'deleted' },
    ],
  });
  expect(own.read('a.txt')).toBe('b\n');
  const audit = join(own.workspace, '.signalbox', 'audit.jsonl');
  expect(await verifyAudit(audit)).toMatchObject({ problems: [] });
  expect(own.read('.signalbox/audit.jsonl')).toContain('"path":"old.txt"');
});

test('a session does not count what its shell line wrote as read', async () => {
  await using own = await openTestHouse({ settings: TRANSACTIONAL, files: { 'a.txt': 'a\n' } });
  await own.call('openai', 'read_file', { path: 'a.txt' });
  await own.call('openai', 'bash', { line: 'echo b > a.txt' });
  const stale = await own.call('openai', 'write_file', { path: 'a.txt', content: 'c\n' });
  expect(stale.outcome.kind).toBe('conflict');
  expect(own.read('a.txt')).toBe('b\n');
});

test('a file that a person changed while a shell line ran is a conflict, not an overwrite', async () => {
  await using own = await openTestHouse({ settings: TRANSACTIONAL, files: { 'a.txt': 'a\n' } });
  const handle = own.submit('openai', 'bash', {
    line: 'echo ready; sleep 1; echo mine > a.txt; echo m > b.txt',
  });
  await own.event('command_output', ({ commandId }) => commandId === handle.commandId);
  writeFileSync(join(own.workspace, 'a.txt'), 'by hand\n');
  const done = await handle.result;
  expect(done).toMatchObject({
    outcome: { kind: 'conflict' },
    failure: { code: 'commit-conflict' },
    files: [],
  });
  expect(done.content).toContain('a.txt: the command left version');
  expect(done.content).toContain('stdout:\nready');
  expect(own.read('a.txt')).toBe('by hand\n');
  expect(() => own.read('b.txt')).toThrow('ENOENT');
});

test('a shell line that fails with a code to roll back on keeps nothing, and says so (S001-103)', async () => {
  const shell = { transactional: true, auto_rollback: true, auto_rollback_exit_codes: [7] };
  await using own = await openTestHouse({ settings: { ...TRANSACTIONAL, tools: { shell } } });
  const done = await own.call('openai', 'bash', { line: 'echo x > a.txt; exit 7' });
  expect(done.content).toContain('nothing that it wrote was kept');
  expect(() => own.read('a.txt')).toThrow('ENOENT');
});
