import { type CommandRecord, MemberId, RevisionError } from '@signalbox/core';
import { createMemoryMembers } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { anExecution, createStage, FREE, type Stage } from '../testing/coordinator-stage.ts';

test('a command that somebody else leads when its lease comes gives it back at once: nothing runs under it', async () => {
  const stage = createStage(FREE);
  const coordinator = await startShared(stage);
  let commits = 0;
  stage.setFaults((port, method) => {
    if (port !== 'store' || method !== 'commit') return undefined;
    commits += 1;
    // It is taken in by the first, and would run by the second.
    return commits === 2 ? new RevisionError('Somebody else changed it') : undefined;
  });
  stage.submit(coordinator, 'shell', { line: 'echo a > a.txt' });
  await stage.settle();
  expect(commits).toBe(2);
  expect(stage.tools.handled).toEqual([]);
  expect(await stage.scheduler().snapshot()).toEqual({ leases: [], waiting: [] });
});

test('who is taken over at the very end of a command, right before its line, audits nothing: the other one does', async () => {
  const stage = createStage(FREE);
  const coordinator = await startShared(stage);
  let record: CommandRecord | undefined;
  const sent = stage.submit(coordinator, 'shell', { line: 'echo a > a.txt' });
  stage.setProgram(async () => {
    record = await stage.record(sent.commandId);
    return anExecution();
  });
  // The mode is the last that is asked for: the command was found to be its own before.
  stage.setFaults((port, method) => {
    if (record === undefined || port !== 'facts' || method !== 'get') return undefined;
    void stage.store.commit({ ...record, owner: OTHER, revision: record.revision + 1 }, []);
    record = undefined;
    return undefined;
  });
  await stage.settle();
  expect(await stage.record(sent.commandId)).toMatchObject({ owner: OTHER, state: 'running' });
  expect(stage.auditLines()).toEqual([]);
});

const [SELF, OTHER] = ['cor_aaaaaaaaaaaa', 'cor_bbbbbbbbbbbb'].map((id) => MemberId.parse(id)) as [
  MemberId,
  MemberId,
];

function startShared(stage: Stage) {
  return stage.start({
    shared: {
      members: createMemoryMembers().join(SELF),
      hasEnded: async () => false,
      isOver: async () => false,
      auditFileOf: () => stage.auditFile,
      takeBackFiles: async () => undefined,
    },
  });
}
