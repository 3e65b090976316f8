import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createSeededRandom } from '@signalbox/core/testing';
import { build } from 'rolldown';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { snapshotOf } from '../testing/tree-snapshot.ts';
import { writeTwoTrees } from '../testing/two-trees.ts';
import { recoverCommits } from './recover.ts';

const SOURCE = fileURLToPath(new URL('../testing/commit-one.ts', import.meta.url));
/** Set `SIGNALBOX_KILLS=500` to try longer. The kills at each step are extra. */
const KILLS = Number(process.env['SIGNALBOX_KILLS'] ?? 20);

describe('a commit whose process is killed', () => {
  let built: string;
  let program: string;
  // Over a hundred processes: bundled into one file, each starts in a third of the time.
  beforeAll(async () => {
    built = mkdtempSync(join(tmpdir(), 'signalbox-program-'));
    program = join(built, 'commit-one.mjs');
    await build({ input: SOURCE, platform: 'node', output: { file: program, codeSplitting: false } });
  });
  afterAll(() => rmSync(built, { recursive: true, force: true }));

  let root: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
    writeTwoTrees(root);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 5 }));

  const stateFolder = (): string => join(root, 'workspace/.signalbox');
  const now = () => snapshotOf(join(root, 'workspace'));

  /** Returns false when the commit finished before that step. */
  const killedAt = (step: number): boolean => {
    const child = spawnSync(process.execPath, [program, root, 'b', String(step)], { encoding: 'utf8' });
    expect(child.stderr).toBe('');
    return child.signal === 'SIGKILL';
  };

  test('leaves the old or the new state at each step, never a mixture', { timeout: 600_000 }, async () => {
    const [old, wanted] = [snapshotOf(join(root, 'a')), snapshotOf(join(root, 'b'))];
    const seen: ('old' | 'new')[] = [];
    for (let step = 0; killedAt(step); step++) {
      await recoverCommits(stateFolder());
      const left = now();
      const which = JSON.stringify(left) === JSON.stringify(wanted) ? 'new' : 'old';
      expect({ step, left }).toEqual({ step, left: which === 'new' ? wanted : old });
      seen.push(which);
      rmSync(join(root, 'workspace'), { recursive: true, maxRetries: 20, retryDelay: 5 });
      cpSync(join(root, 'a'), join(root, 'workspace'), { recursive: true, verbatimSymlinks: true });
    }
    expect(now()).toEqual(wanted);
    expect(seen.length).toBeGreaterThan(30);
    // Only the step that marks it done leaves the new state.
    expect(seen.indexOf('new')).toBe(seen.length - 1);
  });

  test(
    `leaves the old or the new state when killed at any time (${KILLS} times)`,
    { timeout: 60_000 + KILLS * 4000 },
    async () => {
      const states = [snapshotOf(join(root, 'a')), snapshotOf(join(root, 'b'))].map((state) =>
        JSON.stringify(state),
      );
      const random = createSeededRandom(3);
      const seen = new Set<number>();
      let longestMs = 64;
      for (let kill = 0; kill < KILLS; kill++) {
        const child = spawn(process.execPath, [program, root, 'b'], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        const exited = new Promise((resolve) => child.once('exit', resolve));
        await Promise.race([new Promise((resolve) => child.stdout.once('data', resolve)), exited]);
        expect(child.exitCode).toBe(null);
        await pause(((random(1)[0] ?? 0) / 255) * longestMs);
        child.kill('SIGKILL');
        await exited;
        await recoverCommits(stateFolder());
        // Undo copies, so that they don't grow.
        rmSync(join(stateFolder(), 'commits'), { recursive: true, maxRetries: 20, retryDelay: 5 });
        const which = states.indexOf(JSON.stringify(now()));
        expect({ kill, which, left: now() }).toMatchObject({
          which: expect.toSatisfy((index: number) => index >= 0),
        });
        seen.add(which);
        // On a busy machine it may not have written anything by then.
        if (seen.size === 1) longestMs = Math.min(2000, longestMs * 1.5);
      }
      expect(seen).toEqual(new Set([0, 1]));
    },
  );
});
