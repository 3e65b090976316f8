import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFollower } from '../../testing/open-follower.ts';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

test('audit verify reports an ended command without a line, and reads the log without any records', async () => {
  const workspace = ownWorkspace();
  const { signalbox, stopCoordinator } = createTestTerminal(workspace);
  const log = join(workspace, '.signalbox', 'audit.jsonl');
  await signalbox('exec', '--', 'true');
  const [first = ''] = readFileSync(log, 'utf8').split('\n');
  await signalbox('exec', '--', 'echo again');
  await stopCoordinator();
  expect((await signalbox('audit', 'verify')).exit).toBe(0);

  writeFileSync(log, `${first}\n`);
  const cut = await signalbox('audit', 'verify');
  expect([cut.exit, cut.out]).toEqual([1, expect.stringContaining('there is no line for cmd_')]);

  rmSync(log);
  const gone = await signalbox('audit', 'verify');
  expect([gone.exit, gone.out.match(/there is no line for cmd_/g)]).toEqual([
    1,
    [expect.anything(), expect.anything()],
  ]);

  writeFileSync(log, `${first}\n`);
  writeFileSync(join(workspace, '.signalbox', 'state.db'), 'damaged');
  const alone = await signalbox('audit', 'verify');
  expect([alone.exit, alone.out]).toEqual([0, expect.stringContaining('1 line, 1 command')]);
  expect(alone.talk).toContain('Not compared with the records: Cannot read');
  expect((await signalbox('audit')).out).toContain('bash');
});

test('audit verify compares lines with the records, and the chain with a hash stored elsewhere (R-C1)', async () => {
  const workspace = ownWorkspace();
  const { signalbox } = createTestTerminal(workspace);
  const log = join(workspace, '.signalbox', 'audit.jsonl');
  await signalbox('exec', '--', 'echo one');
  const [head = ''] = /(?<=last hash )[0-9a-f]{64}/.exec((await signalbox('audit', 'verify')).out) ?? [];
  await signalbox('exec', '--', 'echo two');
  const longer = await signalbox('audit', 'verify', '--head', head.toUpperCase());
  expect([longer.exit, longer.out]).toEqual([0, expect.stringContaining('2 lines, 2 commands')]);
  const other = await signalbox('audit', 'verify', '--head', 'a'.repeat(64));
  expect([other.exit, other.out]).toEqual([1, expect.stringContaining('no line has the hash aaaa')]);
  expect((await signalbox('audit', 'verify', '--head', 'x')).exit).toBe(2);
  expect((await signalbox('audit', '--head', head)).exit).toBe(2);

  const [first = '', second = ''] = readFileSync(log, 'utf8').trimEnd().split('\n');
  const body = second.replace('echo two', 'echo 222').split(',"hash":')[0] ?? '';
  const hash = createHash('sha256').update(body).digest('hex');
  writeFileSync(log, `${first}\n${body},"hash":"${hash}"}\n`);
  const rewritten = await signalbox('audit', 'verify');
  expect([rewritten.exit, rewritten.out]).toEqual([
    1,
    expect.stringMatching(/line 2 of cmd_\w+ differs from the records: another call/),
  ]);
});

test('audit shows the lines that match its filter, and --follow each whole line as it is written', async () => {
  await using own = await openTestRuntime({ files: { 'src/a.ts': 'a' } });
  await own.call('openai', 'echo', { text: 'one' });
  await own.call('anthropic', 'read_file', { path: 'src/a.ts' });
  const { signalbox } = createTestTerminal(own.workspace);
  const idsOf = async (...argv: readonly string[]): Promise<readonly string[]> =>
    (await signalbox('--json', 'audit', ...argv)).out.match(/(?<="command_id":")\w+/g) ?? [];
  const [one = '', two = ''] = own.auditLines().map((entry) => String(entry['command_id']));
  expect(await idsOf()).toEqual([one, two]);
  expect(await idsOf('-f', 'provider:openai')).toEqual([one]);
  expect(await idsOf('-f', '-tool:echo')).toEqual([two]);
  expect(await idsOf('-f', 'path:src/')).toEqual([two]);
  expect(await idsOf('-f', 'outcome:completed level:safe one')).toEqual([one]);
  expect(await signalbox('audit', '-f', 'outcome:faild')).toMatchObject({
    exit: 2,
    talk: expect.stringContaining('unknown outcome "faild", did you mean failed'),
  });
  expect((await signalbox('audit', 'verify', '--follow')).exit).toBe(2);

  const follower = openFollower(
    own.workspace,
    ['audit', '--follow', '--limit', '1', '-f', '-provider:openai'],
    {},
  );
  await follower.row(/read_file/);
  await own.call('openai', 'echo', { text: 'not this one' });
  await own.call('anthropic', 'list_directory', { path: 'src' });
  await follower.row(/list_directory/);
  follower.stop();
  expect((await follower.ran).exit).toBe(130);
  expect(follower.rows).toEqual([
    expect.stringMatching(new RegExp(`${two}.*anthropic.*read_file`)),
    expect.stringMatching(/cmd_.*anthropic.*list_directory/),
  ]);
});

test('audit, --follow and verify read across the archives of a log (X-36) (setting: monitoring.audit_file_max_mb)', async () => {
  // About two lines per file.
  const settings = { monitoring: { audit_file_max_mb: 0.002 }, execution: { execution_history_limit: 2 } };
  await using own = await openTestRuntime({ files: { 'a.ts': 'a' }, settings });
  const { signalbox } = createTestTerminal(own.workspace);
  const say = async (text: string): Promise<string> => (await own.call('openai', 'echo', { text })).commandId;
  const [, two, three] = [await say('one'), await say('two'), await say('three')];
  const follower = openFollower(own.workspace, ['audit', '--follow', '--limit', '2'], {});
  await follower.row(new RegExp(three));
  const later = [await say('four'), await say('five'), await say('six'), await say('seven')];
  await follower.row(new RegExp(later.at(-1) ?? 'none'));
  follower.stop();
  await follower.ran;
  expect(follower.rows).toEqual([two, three, ...later].map((id) => expect.stringContaining(id) as string));

  const files = readdirSync(join(own.workspace, '.signalbox')).filter((name) => name.startsWith('audit'));
  expect(files.toSorted().slice(0, 2)).toEqual(['audit.000001.jsonl', 'audit.000002.jsonl']);
  const listed = async (...argv: readonly string[]): Promise<readonly string[]> =>
    (await signalbox('--json', 'audit', ...argv)).out.match(/(?<="text":")\w+/g) ?? [];
  expect(await listed()).toEqual(['one', 'two', 'three', 'four', 'five', 'six', 'seven']);
  expect(await listed('--limit', '5')).toEqual(['three', 'four', 'five', 'six', 'seven']);
  expect(await listed('-f', 'one')).toEqual(['one']);
  const verified = await signalbox('audit', 'verify');
  expect([verified.exit, verified.out]).toEqual([
    0,
    expect.stringMatching(/7 lines in \d files, 7 commands/),
  ]);

  const first = join(own.workspace, '.signalbox', 'audit.000001.jsonl');
  writeFileSync(first, readFileSync(first, 'utf8').replace('"text":"two"', '"text":"2"'));
  const changed = await signalbox('audit', 'verify');
  expect([changed.exit, changed.out]).toEqual([
    1,
    expect.stringContaining('audit.000001.jsonl: line 2 was changed'),
  ]);
});
