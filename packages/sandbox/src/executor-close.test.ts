import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createHarness } from './testing/sandbox-harness.ts';
import { treeOf } from './process-tree/process-tree.ts';

/** The descriptors this process has open: pipes, files, sockets. */
function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

test.for(['off', 'where-possible'] as const)(
  'a closed executor leaves no process and no descriptor behind (transactions %s)',
  async (transactions) => {
    const before = { descriptors: openDescriptors(), processes: treeOf(process.pid).length };
    const harness = createHarness({ transactions });
    let isClosed = false;
    onTestFinished(async () => (isClosed ? undefined : harness.close()));
    for (let n = 0; n < 4; n++)
      await Promise.all(['echo a', 'echo b', 'echo c > c'].map((line) => harness.run(line)));
    expect(openDescriptors()).toBeGreaterThan(before.descriptors + 40);
    await harness.close();
    isClosed = true;
    // The test runner opens some of its own.
    await expect.poll(() => openDescriptors()).toBeLessThan(before.descriptors + 6);
    expect(treeOf(process.pid).length).toBeLessThanOrEqual(before.processes);
  },
);

test('a closed executor starts nothing and says why', async () => {
  const before = treeOf(process.pid).length;
  const harness = createHarness({ transactions: 'where-possible' });
  await harness.run('true');
  const during = harness.run('echo x');
  const closing = harness.close();
  await during.catch(() => undefined);
  await closing;
  for (const late of [harness.run('echo x'), harness.run('echo x', { network: 'on' })])
    await expect(late).rejects.toMatchObject({
      code: 'closed',
      message: 'Cannot run the command: this Signalbox process is stopping',
    });
  await expect.poll(() => treeOf(process.pid).length).toBeLessThanOrEqual(before);
});
