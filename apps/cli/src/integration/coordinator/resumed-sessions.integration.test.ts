import { createSeededRandom } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { environmentOf, killedAt, killedWorld, linesOf, textOf } from '../../testing/killed-world.ts';
import { resultsIn, startStatelessModel } from '../../testing/stateless-model.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KILLS = 10;
const TURNS = 8;
const ALLOWED = { approval: { approval_mode: 'allow_all' } };

/** Every call leaves one line in its file each time that it runs. */
const CALLS = Array.from({ length: TURNS }, (_, turn) =>
  [0, 1].map((n) => ({ tool: 'bash', args: { line: `echo call_${turn + 1}_${n} >> effects-${n}.txt` } })),
);
const CALL_IDS = CALLS.flatMap((calls, turn) => calls.map((_, n) => `call_${turn + 1}_${n}`));

test.for(['embedded', 'Redis'])(
  'a session survives ten kills at random moments: no call runs twice, and no stored answer is paid for again (%s) (S004-23…27, X-24, X-41)',
  { timeout: 240_000 },
  async (backend) => {
    const world = killedWorld(await environmentOf(backend));
    const random = createSeededRandom(20_261_128);
    const number = (below: number): number => (random(1)[0] ?? 0) % below;
    let kills = 0;
    const model = await startStatelessModel(CALLS, {
      async before({ turn }) {
        // At least one a turn, by now.
        const isDue = kills < turn;
        if (kills >= KILLS || turn > TURNS || (!isDue && number(3) > 0)) return true;
        kills += 1;
        // Lost only once the coordinator is dead: a live one would count lost answers as failures of the provider.
        await world.restart();
        return false;
      },
      after({ turn }) {
        if (kills >= KILLS || turn > TURNS || number(2) > 0) return;
        kills += 1;
        // From before it has read the answer until after its calls have ended.
        void world.restart(number(150));
      },
    });
    await world.open({ m: { model } }, ALLOWED);
    const run = await world.start({ tasks: { m: 'Leave your marks' }, until: null });
    expect(await world.ended(run)).toMatchObject({ state: 'ended', stoppedBy: null });
    const { sessions } = await world.client().listSessions();
    expect(sessions).toMatchObject([{ finish: 'finished', message: 'Done.', waitsFor: null }]);
    expect(kills).toBeGreaterThanOrEqual(TURNS);

    // No turn is asked for again once its answer is in the conversation.
    const turns = model.requests.map(({ turn }) => turn);
    expect(turns).toEqual(turns.toSorted((a, b) => a - b));
    expect(turns.length).toBeLessThanOrEqual(TURNS + 1 + kills);

    const told = resultsIn(model.requests.at(-1));
    expect([...told.keys()]).toEqual(CALL_IDS);
    const effects = [0, 1].flatMap((n) => linesOf(world, `effects-${n}.txt`));
    // A call that was running has an unknown outcome: it has run at most once. All others ran exactly once.
    const wrong = [...told].filter(([id, result]) => {
      const times = effects.filter((line) => line === id).length;
      return result.includes('lost') ? times > 1 : times !== 1 || result.includes('[tool_error]');
    });
    expect(wrong).toEqual([]);
  },
);

test('a session whose key was in the memory of the dead coordinator waits for it, and the others go on', async () => {
  const world = killedWorld();
  const mark = [{ tool: 'bash', args: { line: 'echo m >> m.txt' } }];
  const m = await startStatelessModel([mark], { before: killedAt(world, 2) });
  const n = await startStatelessModel([]);
  await world.open({ m: { model: m, key: 'M_KEY' }, n: { model: n } }, ALLOWED);
  const tasks = { m: 'Leave a mark', n: 'Say something' };
  const run = await world.start({ tasks, until: { line: 'true' }, keys: { M_KEY: 'sk-of-ana-0123456789' } });
  const waits = async () => {
    const { sessions } = await world.client().listSessions();
    return sessions.find(({ provider }) => provider === 'm')?.waitsFor;
  };
  await expect.poll(waits, { timeout: 60_000 }).toContain('M_KEY is not set');
  expect(m.requests).toHaveLength(2);
  const of = { id: run.id };
  await expect(world.client().resumeRun({ ...of, keys: { OTHER: 'x' } })).rejects.toThrow(/no provider/);
  expect((await world.client().resumeRun(of)).waiting).toEqual([expect.stringContaining('M_KEY')]);
  const state = readFileSync(join(world.directory, '.signalbox', 'state.db'), 'latin1');
  expect(state).not.toContain('sk-of-ana');

  const { waiting } = await world.client().resumeRun({ ...of, keys: { M_KEY: 'sk-of-ana-0123456789' } });
  expect(waiting).toEqual([]);
  await world.ended(run);
  const { sessions } = await world.client().listSessions();
  expect(sessions.map(({ finish }) => finish)).toEqual(['finished', 'finished']);
  expect(linesOf(world, 'm.txt')).toEqual(['m']);
}, 120_000);

test('a model is told what others changed while no coordinator led its session', async () => {
  const world = killedWorld();
  const reads = [{ tool: 'read_file', args: { path: 'a.txt' } }];
  const change = async (): Promise<void> => writeFileSync(join(world.directory, 'a.txt'), 'two\nthree\n');
  const model = await startStatelessModel([reads], { before: killedAt(world, 2, change) });
  writeFileSync(join(world.directory, 'a.txt'), 'one\n');
  await world.open({ m: { model } }, ALLOWED);
  await world.ended(await world.start({ tasks: { m: 'Read a.txt' }, until: null }));
  const [, before, after] = model.requests.map(textOf);
  expect(before).not.toContain('interrupted');
  expect(after).toContain(
    'Signalbox was interrupted, and this session continues. Meanwhile: a.txt was changed',
  );
  expect(model.requests).toHaveLength(3);
  const { sessions } = await world.client().listSessions();
  const { items } = await world.client().getTranscript({ id: sessions[0]?.id ?? '' });
  expect(items.map(({ kind }) => kind)).toEqual(['turn', 'call', 'restart', 'turn']);
  expect(items).toContainEqual(expect.objectContaining({ kind: 'restart', changed: 1 }));
}, 120_000);

test('what was said before a kill is read after it, and an approval that was open is still to be answered', async () => {
  const world = killedWorld();
  const asks = [{ tool: 'bash', args: { line: 'echo mark >> marks.txt' } }];
  const model = await startStatelessModel([asks]);
  await world.open({ m: { model } }, { approval: { approval_mode: 'prompt' } });
  const run = await world.start({ tasks: { m: 'Leave a mark' }, until: null });
  const pending = async () => (await world.client().listApprovals()).approvals;
  await expect.poll(async () => (await pending()).length, { timeout: 60_000 }).toBe(1);
  const [session] = run.sessions;
  await world.client().sayToSession({ id: session ?? '', text: 'And be quick' });
  await world.restart();
  await expect.poll(async () => (await pending()).length, { timeout: 60_000 }).toBe(1);
  const [asked] = await pending();
  await world
    .client()
    .grantApproval({ id: asked?.command.id ?? '', callHash: asked?.command.approval?.callHash ?? '' });
  await world.ended(run);
  expect(model.requests.map(({ turn }) => turn)).toEqual([1, 2]);
  expect(textOf(model.requests[1] ?? { turn: 0, messages: [] })).toContain('And be quick');
  expect(linesOf(world, 'marks.txt')).toEqual(['mark']);
}, 120_000);

test('a session that a person has stopped does not go on after a kill, nor does one of a stopped coordinator', async () => {
  const world = killedWorld();
  const asked = Promise.withResolvers<void>();
  const model = await startStatelessModel([], {
    async before() {
      asked.resolve();
      return new Promise(() => undefined);
    },
  });
  await world.open({ m: { model } }, ALLOWED);
  const run = await world.start({ tasks: { m: 'Work' }, until: null });
  await asked.promise;
  await world.client().stopSession({ id: run.sessions[0] ?? '' });
  await world.restart();
  await world.ended(run);
  const ended = async () => (await world.client().listSessions()).sessions.map(({ finish }) => finish);
  expect(await ended()).toEqual(['cancelled']);

  const second = await world.start({ tasks: { m: 'Work' }, until: null });
  await expect.poll(() => model.requests.length).toBe(2);
  await world.client().stopRun({ id: second.id, mode: 'force' });
  await world.restart();
  expect(await world.ended(second)).toMatchObject({ stoppedBy: expect.any(String) });
  expect(await ended()).toEqual(['cancelled', 'cancelled']);
  expect(model.requests).toHaveLength(2);
}, 120_000);

test('the checks of a run go on where they were: the failed one is told once, and not repeated', async () => {
  const world = killedWorld();
  const mend = [{ tool: 'bash', args: { line: 'echo mended > ok.txt' } }];
  // Its first answer is the end of its first round; the second one mends what the check has found.
  const quiet = await startStatelessModel([[], mend]);
  // A command that ran at the kill would be lost.
  const mended = async (): Promise<void> => {
    await expect.poll(() => quiet.requests.length, { timeout: 60_000 }).toBe(3);
  };
  const other = await startStatelessModel([[], []], { before: killedAt(world, 2, mended) });
  await world.open({ m: { model: quiet }, n: { model: other } }, ALLOWED);
  const line = 'echo checked >> checks.txt; grep -q mended ok.txt';
  const run = await world.start({ tasks: { m: 'Mend it', n: 'Look on' }, until: { line } });
  const { checks, result } = await world.ended(run);
  expect(checks.map(({ round, next }) => [round, next])).toEqual([
    [1, 'again'],
    [2, 'passed'],
  ]);
  expect(result?.passed).toBe(true);
  for (const { requests } of [quiet, other])
    expect(
      textOf(requests.at(-1) ?? { turn: 0, messages: [] }).split('The check of this run failed'),
    ).toHaveLength(2);
}, 120_000);
