import { expect, test } from 'vitest';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';

const FREE = { approval: { approval_mode: 'allow_all' } } as const;

test('git tools see, stage and commit inside the sandbox', async () => {
  await using own = await openTestRuntime({ settings: FREE, files: { 'a.txt': 'one\n' } });
  await own.call('openai', 'read_file', { path: 'a.txt' });
  await own.call('openai', 'edit_file', { path: 'a.txt', oldText: 'one', newText: 'two' });
  expect((await own.call('openai', 'git_status', {})).stdout).toContain(' M a.txt');
  expect((await own.call('openai', 'git_diff', {})).stdout).toContain('+two');
  expect(await own.call('openai', 'git_add', { paths: ['a.txt'] })).toMatchObject({ success: true });
  expect(await own.call('openai', 'git_commit', { message: 'Say two' })).toMatchObject({ success: true });
  expect((await own.call('openai', 'git_log', { maxCount: 1 })).stdout).toContain('Test  Say two');
});

test('where changes need approval, so do adding and committing (J2)', async () => {
  const settings = { approval: { file_writes: 'ask' } };
  await using own = await openTestRuntime({ settings, files: { 'a.txt': '' } });
  expect(await own.submit('openai', 'git_add', { args: { paths: ['a.txt'] } }).resting).toBe('pending');
  expect(await own.submit('openai', 'git_commit', { args: { message: 'x' } }).resting).toBe('pending');
});

test('ripgrep searches inside the sandbox, and denied files are not found', async () => {
  await using own = await openTestRuntime({
    files: { 'src/a.ts': 'const key = 1;\n', 'secrets/b.txt': 'key\n' },
  });
  const found = await own.call('openai', 'search_files', { pattern: 'key' });
  expect(found.content).toContain('src/a.ts:1:const key = 1;');
  expect(found.content).not.toContain('secrets/b.txt');
});

test('files are listed, deleted and created again', async () => {
  await using own = await openTestRuntime({ settings: FREE, files: { 'src/a.ts': 'x', 'src/b.ts': 'yy' } });
  expect((await own.call('openai', 'list_directory', { path: 'src' })).content).toBe(
    'src/a.ts  1\nsrc/b.ts  2',
  );
  expect((await own.call('openai', 'delete_file', { path: 'src/a.ts' })).outcome.kind).toBe('conflict');
  await own.call('openai', 'read_file', { path: 'src/a.ts' });
  expect((await own.call('openai', 'delete_file', { path: 'src/a.ts' })).files).toMatchObject([
    { path: 'src/a.ts', kind: 'deleted' },
  ]);
  expect((await own.call('openai', 'write_file', { path: 'src/a.ts', content: 'z' })).success).toBe(true);
  expect(own.read('src/a.ts')).toBe('z');
});

test('tests run with the line from the settings, followed by quoted targets', async () => {
  await using own = await openTestRuntime({ settings: { ...FREE, tests: "printf '%s|'" } });
  const result = await own.call('openai', 'run_tests', { targets: ['a b', "it's", '$HOME'] });
  expect(result.stdout).toBe("a b|it's|$HOME|");
});

test('a workspace without a linter says how to configure one', async () => {
  await using own = await openTestRuntime();
  const { failure } = await own.call('openai', 'run_linter', {});
  expect(failure).toMatchObject({ code: 'not-configured', visibility: 'visible' });
  expect(failure?.suggestion).toContain('lint: npm run lint');
});

test('a shell line runs in the directory that it names', async () => {
  await using own = await openTestRuntime({ settings: FREE, files: { 'src/a.ts': '' } });
  expect((await own.call('openai', 'bash', { line: 'ls', cwd: 'src' })).stdout).toBe('a.ts\n');
});
