import { MemberId, RevisionError } from '@signalbox/core';
import { createMemoryMembers } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createStage, FREE } from '../testing/coordinator-stage.ts';

test('a command that somebody else leads when its lease comes gives it back at once: nothing runs under it', async () => {
  const stage = createStage(FREE);
  const coordinator = await stage.start({
    shared: {
      members: createMemoryMembers().join(MemberId.parse('cor_aaaaaaaaaaaa')),
      hasEnded: async () => false,
      hasWorkers: async () => false,
      auditFileOf: () => stage.auditFile,
      takeBackFiles: async () => undefined,
    },
  });
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
