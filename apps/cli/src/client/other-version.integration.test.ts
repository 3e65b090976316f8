import { PROTOCOL } from '@signalbox/api';
import { expect, test } from 'vitest';
import { agreeWith } from './agree-with.ts';
import { clientAt } from './client-at.ts';
import { findCoordinator } from './find-coordinator.ts';
import { backgroundWorld, isDead } from './testing/background-world.ts';

const NEWER = { version: '99.0.0', protocol: PROTOCOL };

test('a coordinator of an older version keeps running while it is used, and gives way to a newer program when idle', async () => {
  const world = backgroundWorld();
  const first = await world.connect();
  /** What a program of another version gets. */
  async function meet(program: typeof NEWER) {
    const found = await findCoordinator(world, 'work');
    if (found === null) throw new Error('the coordinator has stopped');
    return agreeWith(found, { what: 'work', mayReplace: true }, { context: world, ours: program });
  }
  const { id } = await clientAt(first).submitCommand({ tool: 'bash', args: { line: 'sleep 600' } });
  expect(await meet(NEWER)).toBe('use');
  await expect(meet({ ...NEWER, protocol: PROTOCOL + 1 })).rejects.toMatchObject({
    code: 'other-protocol',
    next: expect.arrayContaining([expect.stringContaining('signalbox stop')]),
  });
  expect(await clientAt(first).getCommand({ id })).toMatchObject({ state: 'running' });
  await clientAt(first).cancelCommand({ id, reason: 'enough' });
  await clientAt(first).getCommand({ id, wait: 60_000 });
  expect(await meet({ ...NEWER, version: '0.0.1' })).toBe('use');
  expect(isDead(first.pid)).toBe(false);

  expect(await meet(NEWER)).toBe('replace');
  await expect.poll(() => isDead(first.pid), { timeout: 20_000 }).toBe(true);
  const next = await world.connect();
  expect(next.pid).not.toBe(first.pid);
  expect(await clientAt(next).getCommand({ id })).toMatchObject({ status: 'cancelled' });
});
