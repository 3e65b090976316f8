import { expect, test } from 'vitest';
import { killedWorld } from '../../testing/killed-world.ts';
import { startStatelessModel } from '../../testing/stateless-model.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

test('sessions lists running and ended ones, shows one, and stops one while the others go on', async () => {
  const world = killedWorld();
  const endless = await startStatelessModel(
    Array.from({ length: 500 }, (_, n) => [{ tool: 'bash', args: { line: `echo ${n}` } }]),
  );
  const quick = await startStatelessModel([]);
  await world.open(
    { endless: { model: endless }, quick: { model: quick } },
    { approval: { approval_mode: 'allow_all' } },
  );
  const terminal = createTestTerminal(world.directory, { entry: world.entry });
  expect((await terminal.signalbox('sessions')).out).toContain('No sessions');

  const task = 'Go on\nand on';
  const run = await world.start({ tasks: { endless: task, quick: 'Be quick' }, until: null });
  const statesOf = async () => {
    const { out } = await terminal.signalbox('sessions', '--json');
    const { sessions } = JSON.parse(out) as { sessions: readonly { provider: string; state: string }[] };
    return sessions.map(({ provider, state }) => `${provider} ${state}`).toSorted();
  };
  await expect.poll(statesOf, { timeout: 60_000 }).toEqual(['endless running', 'quick ended']);
  const listed = (await terminal.signalbox('sessions')).out;
  expect(listed).toMatch(/PROVIDER +STATE +TURNS/);
  expect(listed).toMatch(/endless +running .* Go on and on\n/);
  expect(listed).toContain('1 running · 2 sessions');

  for (const [argv, why] of [
    [['stop', 'nobody'], 'Cannot find a running session "nobody"'],
    [['stop'], 'its id is missing'],
    [['list', 'quick'], 'list takes no id'],
    [['stop', 'endless', '--format', 'jsonl'], 'belong to export'],
  ] as const)
    expect(await terminal.signalbox('sessions', ...argv)).toMatchObject({
      exit: 2,
      talk: expect.stringContaining(why),
    });
  expect(await terminal.signalbox('sessions', 'stop', 'endless')).toMatchObject({
    exit: 0,
    talk: expect.stringMatching(/✓ endless \(ses_\w+\) stops/),
  });
  await world.ended(run);
  expect(await statesOf()).toEqual(['endless ended', 'quick ended']);
  const { out } = await terminal.signalbox('sessions');
  expect(out).toMatch(/endless +stopped/);
  expect(out).toMatch(/quick +finished/);
  const shown = await terminal.signalbox('sessions', 'show', run.sessions[0] ?? '');
  expect(shown.out).toMatch(/task +Go on/);
}, 120_000);
