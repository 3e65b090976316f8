import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFollower } from '../testing/open-follower.ts';
import { openTestHouse } from '../testing/open-test-house.ts';
import { ownWorkspace } from '../testing/own-workspace.ts';
import { createTestTerminal } from '../testing/test-context.ts';

test('audit verify misses the line of a command that has ended, and needs no records to read the log', async () => {
  const workspace = ownWorkspace();
  const { signalbox } = createTestTerminal(workspace);
  const log = join(workspace, '.signalbox', 'audit.jsonl');
  await signalbox('exec', '--', 'true');
  const [first = ''] = readFileSync(log, 'utf8').split('\n');
  await signalbox('exec', '--', 'echo again');
  expect((await signalbox('audit', 'verify')).exit).toBe(0);

  writeFileSync(log, `${first}\n`);
  const cut = await signalbox('audit', 'verify');
  expect([cut.exit, cut.out]).toEqual([1, expect.stringContaining('no line tells of cmd_')]);

  rmSync(log);
  const gone = await signalbox('audit', 'verify');
  expect([gone.exit, gone.out.match(/no line tells of cmd_/g)]).toEqual([
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

test('audit shows the lines that fit its filter, and --follow each one as it is written, whole', async () => {
  await using own = await openTestHouse({ files: { 'src/a.ts': 'a' } });
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
    talk: expect.stringContaining('no outcome "faild", did you mean failed'),
  });
  expect((await signalbox('audit', 'verify', '--follow')).exit).toBe(2);

  const follower = openFollower(own.workspace, {}, [
    'audit',
    '--follow',
    '--limit',
    '1',
    '-f',
    '-provider:openai',
  ]);
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
