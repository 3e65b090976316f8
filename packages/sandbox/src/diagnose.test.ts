import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { diagnose } from './diagnose.ts';
import type { ExecutorOptions } from './executor-options.ts';
import { createStage, type Stage } from './fixtures/stage.ts';
import { systemClock } from './fixtures/system-clock.ts';

let stage: Stage;
let options: ExecutorOptions;
beforeEach(() => {
  stage = createStage();
  options = { ...(JSON.parse(stage.optionsJson) as ExecutorOptions), clock: systemClock };
});
afterEach(() => stage.close());

test('a machine that confines commands is told so, measure by measure', async () => {
  const all = await diagnose(options);
  const failed = all.filter(({ ok, id }) => !ok && !id.startsWith('limit:'));
  expect(failed).toEqual([]);
  expect(all.map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'node',
      'git',
      'ripgrep',
      'bubblewrap',
      'namespace:net',
      'confinement',
      'limit:memory',
    ]),
  );
});

test('a machine without bubblewrap is told what to type', async () => {
  const all = await diagnose({ ...options, bubblewrap: join(stage.folder, 'bwrap') });
  const found = all.find(({ id }) => id === 'bubblewrap');
  expect(found).toMatchObject({ ok: false, fix: expect.stringContaining('bubblewrap') });
  expect(all.find(({ id }) => id === 'confinement')?.ok).toBe(false);
});
