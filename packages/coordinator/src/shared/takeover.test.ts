import { type Lease, NodeId } from '@signalbox/core';
import {
  aCommandRecord,
  createManualClock,
  createMemoryLogger,
  createMemoryNodes,
  createMemoryStore,
} from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createTakeover } from './takeover.ts';

test('a dead coordinator’s lease that could not be released is released when the queue is back', async () => {
  const clock = createManualClock();
  const { store } = createMemoryStore(clock);
  const record = aCommandRecord();
  const released: string[] = [];
  let isAway = true;
  const takeover = createTakeover({
    shared: {
      members: createMemoryNodes().join(NodeId.parse('cor_aaaaaaaaaaaa')),
      hasEnded: async () => false,
      isOver: async () => false,
      auditFileOf: () => '',
      takeBackFiles: async () => undefined,
    },
    store: { ...store, get: async () => ({ ...record, state: 'done' }) },
    scheduler: {
      async release(id: Lease['leaseId']) {
        if (isAway) throw new Error('it is away');
        released.push(id);
      },
    } as never,
    clock,
    logger: createMemoryLogger(),
    lead: async () => {
      throw new Error('nothing is led');
    },
    isLed: () => false,
    hold: () => undefined,
  });
  const lease = { leaseId: 'lse_aaaaaaaaaaaa', commandId: record.id } as unknown as Lease;
  await takeover.takeOverLease(lease);
  expect(released).toEqual([]);
  isAway = false;
  await clock.advance(1000);
  expect(released).toEqual([lease.leaseId]);
  takeover.stop();
});
