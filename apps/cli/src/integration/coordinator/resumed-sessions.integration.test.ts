import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunView } from '@signalbox/api';
import { createSeededRandom } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { clientAt } from '../../client/client-at.ts';
import { backgroundWorld, killed } from '../../client/testing/background-world.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import { writeOwnSettings } from '../../testing/own-settings.ts';
import { resultsIn, startStatelessModel, type StatelessModel } from '../../testing/stateless-model.ts';

const KILLS = 10;
const TURNS = 8;

type World = ReturnType<typeof backgroundWorld>;

/** Every call leaves one line in its file each time that it runs. */
const CALLS = Array.from({ length: TURNS }, (_, turn) =>
  [0, 1].map((n) => ({ tool: 'bash', args: { line: `echo call_${turn + 1}_${n} >> effects-${n}.txt` } })),
);

function settingsFor(model: Pick<StatelessModel, 'url'>): string {
  const m = { api: 'openai-chat', base_url: model.url, model: 'm', api_key_env: null };
  return JSON.stringify({ approval: { approval_mode: 'allow_all' }, providers: { m } });
}

/** How often each call has run, by its id. */
function effectsIn({ directory }: World): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const n of [0, 1]) {
    const file = join(directory, `effects-${n}.txt`);
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
    for (const id of lines) times.set(id, (times.get(id) ?? 0) + 1);
  }
  return times;
}

async function endedRun(access: () => LocalAccess, { id }: Pick<RunView, 'id'>): Promise<RunView> {
  let run: RunView | undefined;
  await expect
    .poll(
      async () => {
        run = await clientAt(access()).getRun({ id });
        return run.state;
      },
      { timeout: 60_000 },
    )
    .toBe('ended');
  if (run === undefined) throw new Error('no run');
  return run;
}

test('a session survives ten kills at random moments: no call runs twice, and nothing stored is paid for again (S004-23…27, X-41)', async () => {
  const world = backgroundWorld();
  const random = createSeededRandom(20_261_128);
  const number = (below: number): number => (random(1)[0] ?? 0) % below;
  let access: LocalAccess;
  let kills = 0;
  let restarting: Promise<void> = Promise.resolve();

  async function afterEarlier(earlier: Promise<void>): Promise<void> {
    await earlier;
    await killed(access.pid, world);
    access = await world.connect();
  }

  function restart(): Promise<void> {
    restarting = afterEarlier(restarting);
    return restarting;
  }

  const model = await startStatelessModel(CALLS, {
    async before() {
      if (kills >= KILLS || number(3) > 0) return true;
      kills += 1;
      void restart();
      return false;
    },
    after() {
      if (kills >= KILLS || number(2) > 0) return;
      kills += 1;
      // From before it has read the answer until after its calls have ended.
      setTimeout(() => void restart(), number(150));
    },
  });
  await writeOwnSettings(world.directory, { text: settingsFor(model) });
  access = await world.connect();
  const assignments = [{ provider: 'm', task: 'Leave your marks' }] as never;
  const run = await clientAt(access).startRun({ assignments, until: null });
  await expect.poll(() => model.requests.at(-1)?.turn, { timeout: 100_000 }).toBe(TURNS + 1);
  await restarting;
  const ended = await endedRun(() => access, run);
  expect(ended).toMatchObject({ state: 'ended', stoppedBy: null });
  const { sessions } = await clientAt(access).listSessions();
  expect(sessions).toMatchObject([{ finish: 'finished', message: 'Done.', waitsFor: null }]);
  expect(kills).toBeGreaterThan(4);

  // No turn is asked for again once its answer is in the conversation.
  const turns = model.requests.map(({ turn }) => turn);
  expect(turns).toEqual(turns.toSorted((a, b) => a - b));
  expect(turns.length).toBeLessThanOrEqual(TURNS + 1 + kills);

  const told = resultsIn(model.requests.at(-1) ?? { turn: 0, messages: [] });
  const effects = effectsIn(world);
  expect([...told.keys()]).toEqual(
    CALLS.flatMap((calls, turn) => calls.map((_, n) => `call_${turn + 1}_${n}`)),
  );
  // A call that was running has an unknown outcome: it has run at most once. All others ran exactly once.
  const wrong = [...told].filter(([id, result]) => {
    const times = effects.get(id) ?? 0;
    return result.includes('lost') ? times > 1 : times !== 1 || result.includes('[tool_error]');
  });
  expect(wrong).toEqual([]);
}, 200_000);
