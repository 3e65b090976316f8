import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SessionEntry } from '@signalbox/api';
import { expect, test } from 'vitest';
import { killedWorld } from '../../testing/killed-world.ts';
import { startStatelessModel } from '../../testing/stateless-model.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const SECRET = `ghp_${'a1B2'.repeat(9)}`;
const QUESTION = { question: 'Which name?', choices: ['cart', 'basket'] };

test('a terminal lists and answers an open question, and exports the conversation of its session', async () => {
  const world = killedWorld();
  const model = await startStatelessModel([
    [{ tool: 'ask_person', args: QUESTION }],
    [{ tool: 'bash', args: { line: `echo '\`\`\`</details>' ${SECRET} > out.txt; cat out.txt` } }],
  ]);
  await world.open({ m: { model } }, { approval: { approval_mode: 'allow_all' } });
  const run = await world.start({ tasks: { m: 'Name it <b>well</b>' }, until: null });
  const pending = async () => (await world.client().listApprovals()).approvals;
  await expect.poll(async () => (await pending()).length, { timeout: 60_000 }).toBe(1);
  const [asked] = await pending();
  const id = asked?.command.id ?? '';

  const terminal = createTestTerminal(world.directory, { entry: world.entry });
  const listed = await terminal.signalbox('answer', '--json');
  expect(JSON.parse(listed.out)).toMatchObject({
    questions: [
      { command: id, provider: 'm', text: 'Which name?', choices: QUESTION.choices, allowText: true },
    ],
  });
  expect(
    await terminal.signalbox('approve', id, '--expect', asked?.command.approval?.callHash ?? ''),
  ).toMatchObject({
    exit: 3,
    talk: expect.stringContaining('the model asks a question'),
  });
  expect(await terminal.signalbox('answer', id, '2')).toMatchObject({ exit: 0 });
  expect(await terminal.signalbox('answer', id, '1')).toMatchObject({ exit: 5 });
  await world.ended(run);

  const exported = await terminal.signalbox('sessions', 'export', '@last');
  expect(exported.exit).toBe(0);
  const entries = exported.out
    .trim()
    .split('\n')
    .map((row) => SessionEntry.parse(JSON.parse(row)));
  expect(entries.map(({ kind }) => kind)).toEqual([
    'session',
    'turn',
    'call',
    'approval',
    'result',
    'turn',
    'call',
    'result',
    'turn',
    'end',
  ]);
  expect(entries[3]).toMatchObject({
    status: 'granted',
    answer: 'basket',
    question: { text: 'Which name?' },
  });
  expect(entries[7]).toMatchObject({ success: true, outcome: 'completed', changed: ['out.txt'] });
  expect(exported.out).not.toContain(SECRET);

  expect(await terminal.signalbox('sessions', 'export', '@last', '-o', 'talk.md')).toMatchObject({ exit: 0 });
  const file = join(world.directory, 'talk.md');
  const text = readFileSync(file, 'utf8');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(text).toContain('Name it &lt;b&gt;well&lt;/b&gt;');
  expect(text).toMatch(/^````text$/m);
  expect(text).toContain('## Ended: finished');
  expect(text).not.toContain(SECRET);
  expect(await terminal.signalbox('sessions', 'export', 'zzzz')).toMatchObject({ exit: 2 });
}, 120_000);
