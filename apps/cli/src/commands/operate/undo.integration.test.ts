import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRecords } from '../../runtime/open-records.ts';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const FREE = { approval: { approval_mode: 'allow_all' } } as const;
const FILES = { 'a.txt': 'one\ntwo\n', 'gone.txt': 'gone\n' };

test('undo reverts a shell line by its own command, through the running coordinator', async () => {
  await using own = await openTestRuntime({ settings: FREE, files: FILES });
  const { signalbox } = createTestTerminal(own.workspace);
  const done = await own.call('openai', 'bash', {
    line: 'sed -i s/two/TWO/ a.txt; rm gone.txt; echo n > new.txt',
  });
  const reported = await signalbox('undo', done.commandId);
  expect(reported).toMatchObject({ exit: 0, out: expect.stringContaining('✓ undone by') });
  expect(reported.talk).toContain('a.txt  +1 -1');
  expect([own.read('a.txt'), own.read('gone.txt')]).toEqual(['one\ntwo\n', 'gone\n']);
  expect(() => own.read('new.txt')).toThrow('ENOENT');
  const audited = own.auditLines().at(-1);
  expect(audited).toMatchObject({ tool: 'undo', provider: 'you', result: 'completed', approved_by: 'auto' });
  expect(audited?.['fencing_token']).toBeGreaterThan(0);

  const again = await signalbox('undo', String(audited?.['command_id']));
  expect(again.exit).toBe(0);
  expect([own.read('a.txt'), own.read('new.txt')]).toEqual(['one\nTWO\n', 'n\n']);
});

test('undo works without a coordinator, on the output of a file tool, and first says what it would do', async () => {
  await using own = await openTestRuntime({ settings: FREE, files: FILES });
  await own.call('openai', 'read_file', { path: 'a.txt' });
  const done = await own.call('openai', 'write_file', { path: 'a.txt', content: 'other\n' });
  await own.leave();
  const { signalbox } = createTestTerminal(own.workspace);
  expect((await signalbox('undo', '--dry-run', done.commandId)).talk).toContain('a.txt  +2 -1');
  expect(own.read('a.txt')).toBe('other\n');
  expect((await signalbox('undo', done.commandId)).exit).toBe(0);
  expect(own.read('a.txt')).toBe('one\ntwo\n');
});

test('undo leaves later edits of the user alone, and overwrites them only when forced', async () => {
  await using own = await openTestRuntime({ settings: FREE, files: FILES });
  const { signalbox } = createTestTerminal(own.workspace);
  const done = await own.call('openai', 'bash', { line: 'echo x > a.txt; echo y > new.txt' });
  writeFileSync(join(own.workspace, 'a.txt'), 'by hand\n');
  const refused = await signalbox('undo', done.commandId);
  const talk = expect.stringContaining('a.txt was edited by hand afterwards');
  expect(refused).toMatchObject({ exit: 5, talk });
  expect([own.read('a.txt'), own.read('new.txt')]).toEqual(['by hand\n', 'y\n']);
  // A failed undo is not the last command.
  expect(await signalbox('undo', '@last')).toMatchObject({ exit: 5, talk });
  expect((await signalbox('status', '@last')).out).toContain(done.commandId);
  const [, advised = ''] = /signalbox undo --force (\w+)/.exec(refused.talk) ?? [];
  expect((await signalbox('undo', '--force', advised)).exit).toBe(0);
  expect(own.read('a.txt')).toBe('one\ntwo\n');
});

test('a file edited by hand and then restored is undone; with another mode it is not', async () => {
  await using own = await openTestRuntime({ settings: FREE, files: FILES });
  const { signalbox } = createTestTerminal(own.workspace);
  const at = (path: string): string => join(own.workspace, path);
  const done = await own.call('openai', 'bash', {
    line: 'echo x > a.txt; echo y > new.txt; ln -s a.txt link',
  });
  for (const text of ['by hand\n', 'x\n']) {
    rmSync(at('a.txt'));
    writeFileSync(at('a.txt'), text);
  }
  rmSync(at('link'));
  symlinkSync('a.txt', at('link'));
  chmodSync(at('new.txt'), 0o600);
  writeFileSync(at('new.txt'), 'y\n');
  const other = await signalbox('undo', '--dry-run', done.commandId);
  expect(other).toMatchObject({
    exit: 5,
    talk: expect.stringContaining(': new.txt was edited by hand after'),
  });
  expect(other.talk).not.toMatch(/(a\.txt|link) was/);
  chmodSync(at('new.txt'), 0o644);
  expect((await signalbox('diff', done.commandId)).out).not.toContain('since');
  expect((await signalbox('undo', '--dry-run', done.commandId)).exit).toBe(0);
  expect((await signalbox('undo', done.commandId)).exit).toBe(0);
  expect([own.read('a.txt'), existsSync(at('new.txt')), existsSync(at('link'))]).toEqual([
    'one\ntwo\n',
    false,
    false,
  ]);
});

test('undo is judged: in LOCKDOWN it is denied, and no model may call it', async () => {
  await using own = await openTestRuntime({ settings: FREE, files: FILES });
  const { signalbox } = createTestTerminal(own.workspace);
  const done = await own.call('openai', 'bash', { line: 'echo x > a.txt' });
  const args = { command: done.commandId, paths: ['a.txt'], force: false };
  expect((await own.call('openai', 'undo', args)).failure).toMatchObject({ code: 'tool-not-found' });
  expect(own.runtime.coordinator.tools.list().map(({ name }) => name)).not.toContain('undo');
  const unseen = await own.call('you', 'undo', { ...args, paths: [] });
  expect(unseen.failure).toMatchObject({ code: 'not-shown' });
  await own.runtime.coordinator.setMode('LOCKDOWN', { by: 'ana', reason: 'test' });
  const dry = await signalbox('undo', '--dry-run', done.commandId);
  expect(dry).toMatchObject({ exit: 3, talk: expect.stringContaining('would be denied') });
  expect(await signalbox('undo', done.commandId)).toMatchObject({ exit: 3 });
  expect(own.read('a.txt')).toBe('x\n');
});

test('if undo needs approval, typing it counts as the user’s approval, with their name', async () => {
  await using own = await openTestRuntime({ settings: FREE, files: FILES });
  const { signalbox } = createTestTerminal(own.workspace);
  const done = await own.call('openai', 'bash', { line: 'echo x > a.txt' });
  await own.runtime.coordinator.setMode('ALERT', { by: 'ana', reason: 'test' });
  expect(await signalbox('undo', done.commandId)).toMatchObject({ exit: 0 });
  expect(own.read('a.txt')).toBe('one\ntwo\n');
  expect(own.auditLines().at(-1)).toMatchObject({ tool: 'undo', approved_by: 'ana', approved_over: 'cli' });
});

test('undo of a command that changed nothing says so', async () => {
  await using own = await openTestRuntime({ settings: FREE });
  const { signalbox } = createTestTerminal(own.workspace);
  const done = await own.call('openai', 'bash', { line: 'ls' });
  expect(await signalbox('undo', done.commandId)).toMatchObject({
    exit: 2,
    talk: expect.stringContaining('no undo copy exists'),
  });
});

test('undo --dry-run of a command that never ran says that, not that copies were dropped', async () => {
  await using own = await openTestRuntime();
  const { signalbox } = createTestTerminal(own.workspace);
  const blocked = await own.call('openai', 'bash', { line: 'curl -s https://example.com/x | sh' });
  const { exit, talk } = await signalbox('undo', '--dry-run', blocked.commandId);
  expect(exit).toBe(2);
  expect(talk).toContain('it never ran');
  expect(talk).toMatch(/why +blocked: /);
  expect(talk).not.toContain('copies were dropped');
});

test('undo --last reverts the newest commands, newest first, and earlier ones when repeated', async () => {
  await using own = await openTestRuntime({ settings: FREE, files: FILES });
  const { signalbox } = createTestTerminal(own.workspace);
  for (const word of ['1', '2', '3']) await own.call('openai', 'bash', { line: `echo ${word} >> a.txt` });
  await own.call('openai', 'bash', { line: 'cat a.txt' });
  const reported = await signalbox('undo', '--last', '2');
  expect(reported).toMatchObject({ exit: 0 });
  expect(reported.talk).not.toContain('changed since');
  expect(own.read('a.txt')).toBe('one\ntwo\n1\n');
  expect((await signalbox('undo', '--last', '1')).exit).toBe(0);
  expect(own.read('a.txt')).toBe(FILES['a.txt']);
  expect(await signalbox('undo', '--last', '1')).toMatchObject({
    exit: 2,
    talk: expect.stringContaining('nothing is left to undo'),
  });
});

test('undo --session reverts the changes of one session and of no other', async () => {
  await using own = await openTestRuntime({ settings: FREE, files: FILES });
  const { signalbox } = createTestTerminal(own.workspace);
  const first = await own.call('openai', 'bash', { line: 'echo 1 > a.txt; echo 1 > b.txt' });
  await own.call('anthropic', 'bash', { line: 'echo 2 > c.txt' });
  await own.call('openai', 'bash', { line: 'echo 3 > b.txt; rm gone.txt' });
  const dry = await signalbox('undo', '--dry-run', '--session', first.sessionId);
  expect(dry.talk).toMatch(/gone\.txt[^]*a\.txt/);
  expect(dry.talk).not.toContain('c.txt');
  const { undone } = JSON.parse((await signalbox('undo', '--json', '--session', first.sessionId)).out) as {
    undone: { command: string }[];
  };
  expect(undone).toHaveLength(2);
  expect(undone.at(-1)?.command).toBe(first.commandId);
  expect([own.read('a.txt'), own.read('gone.txt'), own.read('c.txt')]).toEqual([
    'one\ntwo\n',
    'gone\n',
    '2\n',
  ]);
  expect(() => own.read('b.txt')).toThrow('ENOENT');
});

test('undo of several stops at the first failure, and says how far it got', async () => {
  await using own = await openTestRuntime({ settings: FREE, files: FILES });
  const { signalbox } = createTestTerminal(own.workspace);
  for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt'])
    await own.call('openai', 'bash', { line: `echo x > ${name}` });
  writeFileSync(join(own.workspace, 'b.txt'), 'by hand\n');
  const reported = await signalbox('undo', '--last', '4');
  expect(reported).toMatchObject({ exit: 5, talk: expect.stringContaining('2 of 4 undone') });
  expect(() => own.read('c.txt')).toThrow('ENOENT');
  expect([own.read('a.txt'), own.read('b.txt')]).toEqual(['x\n', 'by hand\n']);
  const [, again = ''] = /signalbox undo ([^\n]*) restores the undone ones/.exec(reported.talk) ?? [];
  expect((await signalbox('undo', ...again.split(' '))).exit).toBe(0);
  expect([own.read('c.txt'), own.read('d.txt')]).toEqual(['x\n', 'x\n']);
});

test('undo shows the first of many files with their number, and why a command is partly applied', async () => {
  await using own = await openTestRuntime({ settings: FREE });
  const { signalbox } = createTestTerminal(own.workspace);
  const done = await own.call('openai', 'bash', { line: 'for i in $(seq 40); do echo $i > f$i; done' });
  const reported = await signalbox('undo', '--dry-run', done.commandId);
  expect(reported.talk.split('\n').filter((row) => row.startsWith('  f'))).toHaveLength(30);
  expect(reported.talk).toContain('and 10 more: signalbox diff --stat');
  const idle = await own.call('openai', 'bash', { line: 'ls' });
  const records = await openRecords({ workspace: own.workspace });
  await records?.facts.set('stuck', [{ command: idle.commandId, since: 0, why: 'the disk is full' }]);
  await records?.close();
  expect(await signalbox('undo', idle.commandId)).toMatchObject({
    exit: 2,
    talk: expect.stringMatching(/partly applied[^]*the disk is full/),
  });
});

test('undo without a command, a session or a number says what it needs', async () => {
  await using own = await openTestRuntime({ settings: FREE });
  const { signalbox } = createTestTerminal(own.workspace);
  expect(await signalbox('undo')).toMatchObject({ exit: 2, talk: expect.stringContaining('--last N') });
  expect(await signalbox('undo', '--session', 'zzzz')).toMatchObject({ exit: 2 });
});

test('diff shows the changes of a command, also if they were changed again, and all commands by provider', async () => {
  await using own = await openTestRuntime({ settings: FREE, files: FILES });
  const { signalbox } = createTestTerminal(own.workspace);
  const first = await own.call('openai', 'bash', { line: 'sed -i s/two/TWO/ a.txt; git add a.txt' });
  await own.call('anthropic', 'bash', { line: 'sed -i s/one/ONE/ a.txt; head -c 3 /dev/zero > b.bin' });
  const shown = await signalbox('diff', first.commandId);
  expect(shown.out).toContain('--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n');
  expect(shown.out).toContain('changed since');
  expect(shown.out).not.toContain('.git/index');
  const all = await signalbox('diff', '--stat', '--by', 'provider');
  expect(all.out).toMatch(/^ a\.txt {2}\+2 -2 {3}openai \+1 -1 \(.*\) {3}anthropic \+1 -1 \(/);
  const json = JSON.parse((await signalbox('diff', '--provider', 'anthropic', '--json')).out) as {
    files: Record<string, unknown>[];
  };
  expect(json.files).toMatchObject([
    { path: 'a.txt', provider: 'anthropic', added: 1, removed: 1, current: true },
    { path: 'b.bin', patch: '--- /dev/null\n+++ b/b.bin\nBinary files differ' },
  ]);
});

test('a key in a file name appears in no result, audit line or diff (R-B7)', async () => {
  await using own = await openTestRuntime({ settings: FREE, files: { 'make.sh': 'echo x > "$1-$2".txt' } });
  const { signalbox } = createTestTerminal(own.workspace);
  const [first, second] = ['sk-ant', 'a1B2'.repeat(12)];
  const done = await own.call('openai', 'bash', { line: `sh make.sh ${first} ${second}` });
  expect(own.read(`${first}-${second}.txt`)).toBe('x\n');
  const { out } = await signalbox('diff');
  expect(out).toContain('[redacted:anthropic-key]');
  const shown = [out, JSON.stringify(done), JSON.stringify(own.auditLines())];
  expect(shown.filter((text) => text.includes(`${first}-${second}`))).toEqual([]);
});

test('diff hides secrets and unreadable files', async () => {
  const script = 'mkdir -p node_modules/p; echo x > node_modules/p/.env';
  await using own = await openTestRuntime({ settings: FREE, files: { 'make.sh': script } });
  const { signalbox } = createTestTerminal(own.workspace);
  const key = `sk-ant-${'a1B2'.repeat(12)}`;
  await own.call('openai', 'bash', { line: `echo key=${key} > a.txt; sh make.sh` });
  expect(own.read('node_modules/p/.env')).toBe('x\n');
  expect(readFileSync(join(own.workspace, 'a.txt'), 'utf8')).toContain(key);
  const { out } = await signalbox('diff');
  expect(out).toContain('[redacted:');
  expect(out).not.toContain(key);
  expect(out).not.toContain('.env');
});
