import { expect, test } from 'vitest';
import type { QueueView } from '@signalbox/api';
import { resourceRows } from './resource-rows.ts';

const queue = {
  leases: [
    { commandId: 'a', claims: [{ resource: 'path:src/parser.ts', access: 'write' }] },
    { commandId: 'b', claims: [{ resource: 'git:index', access: 'write' }] },
  ],
  waiting: [{ commandId: 'c', claims: [{ resource: 'path:src/parser.ts', access: 'write' }] }],
} as unknown as QueueView;

test('held and awaited resources form a tree with their parent folders, in order', () => {
  const rows = resourceRows(queue).map(({ resource, depth, leases, waiting, isPartlyHeld }) => ({
    resource,
    depth,
    held: leases.map(({ commandId }) => commandId),
    awaited: waiting.map(({ commandId }) => commandId),
    isPartlyHeld,
  }));
  expect(rows).toEqual([
    { resource: 'workspace', depth: 0, held: [], awaited: [], isPartlyHeld: true },
    { resource: 'git:index', depth: 1, held: ['b'], awaited: [], isPartlyHeld: false },
    { resource: 'tree:src', depth: 1, held: [], awaited: [], isPartlyHeld: true },
    { resource: 'path:src/parser.ts', depth: 2, held: ['a'], awaited: ['c'], isPartlyHeld: false },
  ]);
});

test('without leases and waiting commands there are no rows', () => {
  expect(resourceRows({ leases: [], counts: [], waiting: [] })).toEqual([]);
});
