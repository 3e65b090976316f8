import { expect, test } from 'vitest';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';

const FREE = { approval: { approval_mode: 'allow_all' } } as const;
const FILES = { 'src/.keep': '', 'log/.keep': '', long: '0123456789+' };

const open = (shell: Readonly<Record<string, unknown>>) =>
  openTestRuntime({ settings: { ...FREE, tools: { shell } }, files: FILES });

test('auto_rollback reverts changes within transaction_scope, only for auto_rollback_exit_codes (S001-104) (setting: tools.shell.auto_rollback, tools.shell.auto_rollback_exit_codes, tools.shell.transaction_scope)', async () => {
  await using own = await open({
    auto_rollback: true,
    auto_rollback_exit_codes: [7],
    transaction_scope: ['src/**'],
  });
  await own.call('openai', 'bash', { line: 'echo x > src/a; echo x > log/a; exit 7' });
  expect(() => own.read('src/a')).toThrow('ENOENT');
  expect(own.read('log/a')).toBe('x\n');
  await own.call('openai', 'bash', { line: 'echo x > src/a; exit 3' });
  expect(own.read('src/a')).toBe('x\n');
});

test('without auto_rollback a failed line keeps its changes, whatever codes are configured (S001-103)', async () => {
  await using own = await open({ auto_rollback_exit_codes: [7] });
  await own.call('openai', 'bash', { line: 'echo x > src/a; exit 7' });
  expect(own.read('src/a')).toBe('x\n');
});

test('max_snapshot_bytes limits what a line may replace, and 0 means no limit (S001-106, S001-111) (setting: tools.shell.max_snapshot_bytes)', async () => {
  await using own = await open({ max_snapshot_bytes: 10 });
  const done = await own.call('openai', 'bash', { line: 'echo x > long; echo x > src/a' });
  expect(done.failure).toMatchObject({ code: 'snapshot_failed' });
  expect(own.read('long')).toBe(FILES.long);
  expect(() => own.read('src/a')).toThrow('ENOENT');
  await using free = await open({ max_snapshot_bytes: 0 });
  expect((await free.call('openai', 'bash', { line: 'echo x > long' })).success).toBe(true);
});

test('max_snapshot_bytes does not bound a line that a person typed (S001-110, X-28)', async () => {
  await using own = await open({ max_snapshot_bytes: 10 });
  expect((await own.call('you', 'bash', { line: 'echo x > long' })).success).toBe(true);
  expect(own.read('long')).toBe('x\n');
});

test('without transactional a line writes to the workspace itself, and nothing reverts it (setting: tools.shell.transactional)', async () => {
  await using own = await open({ transactional: false, auto_rollback: true, auto_rollback_exit_codes: [7] });
  const done = await own.call('openai', 'bash', { line: 'echo x > src/a; exit 7' });
  expect(done.isolation).toMatchObject({ layer: 'bind' });
  expect(own.read('src/a')).toBe('x\n');
});
