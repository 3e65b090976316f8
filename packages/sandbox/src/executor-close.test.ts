import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createStage } from './fixtures/stage.ts';
import { treeOf } from './process-tree.ts';

/** What this process keeps open: pipes, files, sockets. */
function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

test.for(['off', 'where-possible'] as const)(
  'a closed executor leaves no process and no descriptor behind (transactions %s)',
  async (transactions) => {
    const before = { descriptors: openDescriptors(), processes: treeOf(process.pid).length };
    const stage = createStage({ transactions });
    let isClosed = false;
    onTestFinished(async () => (isClosed ? undefined : stage.close()));
    for (let n = 0; n < 4; n++)
      await Promise.all(['echo a', 'echo b', 'echo c > c'].map((line) => stage.run(line)));
    expect(openDescriptors()).toBeGreaterThan(before.descriptors + 40);
    await stage.close();
    isClosed = true;
    // What runs the tests opens some of its own.
    await expect.poll(() => openDescriptors()).toBeLessThan(before.descriptors + 6);
    expect(treeOf(process.pid).length).toBeLessThanOrEqual(before.processes);
  },
);

test('a closed executor starts nothing again, and says why', async () => {
  const before = treeOf(process.pid).length;
  const stage = createStage({ transactions: 'where-possible' });
  await stage.run('true');
  const during = stage.run('echo x');
  const closing = stage.close();
  await during.catch(() => undefined);
  await closing;
  for (const late of [stage.run('echo x'), stage.run('echo x', { network: 'on' })])
    await expect(late).rejects.toMatchObject({
      code: 'closed',
      message: 'Cannot run the command: Signalbox is closing here',
    });
  await expect.poll(() => treeOf(process.pid).length).toBeLessThanOrEqual(before);
});
