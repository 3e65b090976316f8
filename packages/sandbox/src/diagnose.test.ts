import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { diagnose } from './diagnose.ts';
import type { ExecutorOptions } from './executor-options.ts';
import { createHarness, type SandboxHarness } from './testing/sandbox-harness.ts';
import { systemClock } from './testing/system-clock.ts';
import { isLarger } from './weak-points.ts';

let harness: SandboxHarness;
let options: ExecutorOptions;
beforeEach(() => {
  harness = createHarness();
  options = { ...(JSON.parse(harness.optionsJson) as ExecutorOptions), clock: systemClock };
});
afterEach(() => harness.close());

test('diagnose() reports each layer and each measure of a machine that confines commands', async () => {
  const all = await diagnose(options);
  expect(all.filter(({ ok, stops }) => !ok && stops)).toEqual([]);
  expect(all.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['node', 'bash', 'git', 'ripgrep', 'layer overlay', 'layer bind', 'isolation']),
  );
  expect(all.find(({ id }) => id === 'layer overlay')).toMatchObject({
    ok: true,
    why: expect.stringMatching(/^In use: bubblewrap \d/),
  });
  expect(all.find(({ id }) => id === 'isolation')?.why).toContain('files, network, processes');
  expect(all.map(({ why }) => why)).not.toContainEqual(expect.stringMatching(/^(?:sampled|off|enforced): /));
});

test('diagnose() gives a command to type for each layer that lacks bubblewrap', async () => {
  const all = await diagnose({ ...options, bubblewrap: join(harness.folder, 'bwrap') });
  for (const id of ['layer overlay', 'layer bind']) {
    expect(all.find((one) => one.id === id)).toMatchObject({
      ok: false,
      stops: true,
      why: expect.stringContaining('bwrap'),
      fix: expect.any(String),
    });
  }
});

test('a missing layer is reported, and is not fatal while a lower one works', async () => {
  const elsewhere = mkdtempSync('/dev/shm/signalbox-');
  const all = await diagnose({ ...options, stateFolder: elsewhere });
  rmSync(elsewhere, { recursive: true });
  expect(all.find(({ id }) => id === 'layer overlay')).toMatchObject({ ok: false, stops: false });
  expect(all.find(({ id }) => id === 'layer bind')).toMatchObject({ ok: true });
  expect(all.find(({ id }) => id === 'tracking')?.why).toContain('Git compared');
});

test('weaker protection is reported: the layer, the account, unknown homes', async () => {
  const facts = async (changes: Partial<ExecutorOptions>): Promise<readonly string[]> =>
    (await diagnose({ ...options, ...changes })).map(({ id }) => id);
  const elsewhere = mkdtempSync('/dev/shm/signalbox-');
  const [overlay, bind] = [
    await facts({}),
    await facts({ accounts: join(harness.folder, 'none'), stateFolder: elsewhere }),
  ];
  rmSync(elsewhere, { recursive: true });
  expect([overlay.includes('extended attributes'), overlay.includes('settings and git')]).toEqual([
    true,
    false,
  ]);
  expect(overlay.includes('account')).toBe(process.getuid?.() === 0);
  expect([bind.includes('extended attributes'), bind.includes('settings and git')]).toEqual([false, true]);
  expect([overlay.includes('homes of others'), bind.includes('homes of others')]).toEqual([false, true]);
});

test('a workspace with more folders than can be masked is reported', async () => {
  for (const name of ['a', 'b/c', 'node_modules/d'])
    mkdirSync(join(harness.workspace, name), { recursive: true });
  expect([await isLarger(harness.workspace, 4), await isLarger(harness.workspace, 3)]).toEqual([false, true]);
});
