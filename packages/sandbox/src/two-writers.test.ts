import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Execution } from '@signalbox/core';
import { aCommandId, createSeededRandom } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { countingScript, countsAfter } from './testing/counting-script.ts';
import { createHarness, type SandboxHarness } from './testing/sandbox-harness.ts';

/** Set `SIGNALBOX_SCRIPTS=1000 SIGNALBOX_SEED=7` to search further. */
const PAIRS = Number(process.env['SIGNALBOX_SCRIPTS'] ?? 100) / 4;
const SEED = Number(process.env['SIGNALBOX_SEED'] ?? 1);

const WAIT = 'echo ready; until ls signals | grep -qx go; do sleep 0.01; done';

/** `ID COUNT` of each file, sorted. A duplicate id shows up twice. */
function countsIn({ workspace }: SandboxHarness): [string, number][] {
  const names = readdirSync(workspace, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /^d\d\//.test(name) && statSync(join(workspace, name)).isFile())
    .map((name): [string, number] => {
      const [id = '', count = ''] = readFileSync(join(workspace, name), 'utf8').trim().split(' ');
      return [id, Number(count)];
    })
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

test(
  `two concurrent writers lose no count and bring back no removed file (F-B2, ${PAIRS} pairs)`,
  { timeout: 60_000 + PAIRS * 2000 },
  async () => {
    const random = createSeededRandom(SEED);
    const pick = (bound: number): number =>
      (random(4).reduce((sum, byte) => sum * 256 + byte, 0) >>> 0) % bound;
    const harness = createHarness({ transactions: 'required' });
    const at = (path: string): string => join(harness.workspace, path);
    const endings: Record<string, number> = {};
    for (let pair = 0; pair < PAIRS; pair++) {
      for (const name of readdirSync(harness.workspace))
        if (name !== '.signalbox') rmSync(at(name), { recursive: true });
      const before = new Map<string, number>();
      for (const folder of ['d0', 'd1', 'signals']) mkdirSync(at(folder));
      for (const path of ['d0/f0', 'd0/f1', 'd1/f0']) {
        writeFileSync(at(path), `${path.replace('/', '-')} 0\n`);
        before.set(path.replace('/', '-'), 0);
      }
      const scripts = [
        countingScript(pick, { writer: 'x', pause: WAIT }),
        countingScript(pick, { writer: 'y', pause: ':' }),
      ] as const;
      const isAtEnd = pair % 2 === 0;
      let second: Promise<Execution> | null = null;
      const runSecond = (): Promise<Execution> =>
        (second ??= harness.run(scripts[1], { commandId: aCommandId() }));
      const letGo = (): void => writeFileSync(at('signals/go'), '');
      const first = await harness.run(
        scripts[0],
        { commandId: aCommandId() },
        {
          // Concurrently, or at the last moment: after its death and before its commit.
          onOutput: () => void (isAtEnd ? letGo() : runSecond().then(letGo)),
          mayCommit: async () => (isAtEnd ? (await runSecond(), { kind: 'ok' }) : { kind: 'ok' }),
        },
      );
      const done = [first, await runSecond()];
      const put = done.filter(({ ended }) => ended.kind === 'exited');
      const said = put.flatMap(({ stdout }) => stdout.text.split('\n').filter((line) => line.includes(' ')));
      const counts = [...countsAfter(before, said)].toSorted(([one], [other]) => (one < other ? -1 : 1));
      expect({ pair, scripts, said, counts: countsIn(harness) }).toEqual({ pair, scripts, said, counts });
      const kinds = done.map(({ ended }) => ended.kind).join(' ');
      endings[kinds] = (endings[kinds] ?? 0) + 1;
    }
    await harness.close();
    expect(Object.keys(endings).toSorted()).toEqual(['conflict exited', 'exited exited']);
  },
);
