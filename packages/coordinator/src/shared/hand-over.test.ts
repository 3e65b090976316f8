import { type CommandRecord, NodeId, RevisionError } from '@signalbox/core';
import { createMemoryNodes } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { anExecution, createHarness, FREE, type CoordinatorHarness } from '../testing/coordinator-harness.ts';

test('a command led by another coordinator when its lease comes releases it at once: nothing runs under it', async () => {
  const harness = createHarness(FREE);
  const coordinator = await startShared(harness);
  let commits = 0;
  harness.setFaults((port, method) => {
    if (port !== 'store' || method !== 'commit') return undefined;
    commits += 1;
    // The first commit accepts the command, the second would run it.
    return commits === 2 ? new RevisionError('Somebody else changed it') : undefined;
  });
  harness.submit(coordinator, 'shell', { line: 'echo a > a.txt' });
  await harness.settle();
  expect(commits).toBe(2);
  expect(harness.tools.handled).toEqual([]);
  expect(await harness.scheduler().snapshot()).toEqual({ leases: [], waiting: [] });
});

test('a coordinator that loses a command right before its audit line writes none: the new one does', async () => {
  const harness = createHarness(FREE);
  const coordinator = await startShared(harness);
  let record: CommandRecord | undefined;
  const sent = harness.submit(coordinator, 'shell', { line: 'echo a > a.txt' });
  harness.setProgram(async () => {
    record = await harness.record(sent.commandId);
    return anExecution();
  });
  // The mode is read last: before that the command was confirmed as its own.
  harness.setFaults((port, method) => {
    if (record === undefined || port !== 'facts' || method !== 'get') return undefined;
    void harness.store.commit({ ...record, owner: OTHER, revision: record.revision + 1 }, []);
    record = undefined;
    return undefined;
  });
  await harness.settle();
  expect(await harness.record(sent.commandId)).toMatchObject({ owner: OTHER, state: 'running' });
  expect(harness.auditLines()).toEqual([]);
});

const [SELF, OTHER] = ['cor_aaaaaaaaaaaa', 'cor_bbbbbbbbbbbb'].map((id) => NodeId.parse(id)) as [
  NodeId,
  NodeId,
];

function startShared(harness: CoordinatorHarness) {
  return harness.start({
    shared: {
      members: createMemoryNodes().join(SELF),
      hasEnded: async () => false,
      isOver: async () => false,
      auditFileOf: () => harness.auditFile,
      takeBackFiles: async () => undefined,
    },
  });
}
