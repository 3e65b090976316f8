import { CommandId, ExecutionId, type Lease, NodeId } from '@signalbox/core';
import * as z from 'zod';
import { jsonText } from '../json-text.ts';
import { defineScript, luaFile } from '../script.ts';
import { ExecutionOrder, ExecutionReport } from './execution-order.ts';

export const offer = defineScript({
  url: luaFile('dispatch/execution-offer'),
  argv: (input: { id: ExecutionId; owner: NodeId; order: ExecutionOrder; keepMs: number }) => [
    input.id,
    input.owner,
    JSON.stringify(input.order),
    input.keepMs,
    input.order.request.commandId,
    input.order.lease?.fencingToken ?? '',
  ],
  reply: z.literal('offered'),
});

export const begin = defineScript({
  url: luaFile('dispatch/execution-begin'),
  argv: ({ id, worker }: { id: ExecutionId; worker: NodeId }) => [id, worker],
  reply: z.union([
    z.tuple([z.literal('begun'), NodeId, jsonText.pipe(ExecutionOrder)]),
    z.tuple([z.literal('gone')]),
  ]),
});

export const end = defineScript({
  url: luaFile('dispatch/execution-end'),
  argv: ({ id, worker, report }: { id: ExecutionId; worker: NodeId; report: ExecutionReport }) => [
    id,
    worker,
    JSON.stringify(report),
  ],
  reply: z.enum(['ended', 'gone']),
});

export const settle = defineScript({
  url: luaFile('dispatch/execution-settle'),
  argv: ({ id, how }: { id: ExecutionId; how: 'withdraw' | 'over' }) => [id, how],
  reply: z.union([
    z.tuple([z.enum(['unbegun', 'lost', 'gone'])]),
    z.tuple([z.literal('begun'), NodeId]),
    z.tuple([z.literal('ended'), jsonText.pipe(ExecutionReport)]),
  ]),
});

export const forget = defineScript({
  url: luaFile('dispatch/execution-forget'),
  argv: ({ id, owner }: { id: ExecutionId; owner: NodeId }) => [id, owner],
  reply: z.literal('forgotten'),
});

export const begunBy = defineScript({
  url: luaFile('dispatch/executions-begun'),
  argv: (worker: NodeId) => [worker],
  reply: z.array(
    z
      .tuple([ExecutionId, CommandId, z.string()])
      .transform(([id, commandId, fence]) => ({ id, commandId, fence })),
  ),
});

/** Takes the fencing token of the lease, as returned by `begunBy`. */
export const reap = defineScript({
  url: luaFile('dispatch/execution-reap'),
  argv: ({ id, worker, fence }: { id: ExecutionId; worker: NodeId; fence: string }) => [id, worker, fence],
  reply: z.enum(['reaped', 'gone']),
});

export const over = defineScript({
  url: luaFile('dispatch/executions-over'),
  argv: ({ owner, commandId }: { owner: NodeId; commandId: CommandId }) => [owner, commandId],
  reply: z.enum(['over', 'running']),
});

export const leaseLeft = defineScript({
  url: luaFile('dispatch/lease-left'),
  libraries: [
    luaFile('scheduler/scoreboard'),
    luaFile('scheduler/entries'),
    luaFile('jobs'),
    luaFile('scheduler/queue'),
  ],
  argv: ({ leaseId, commandId, fencingToken }: Lease) => [
    leaseId,
    commandId.slice(commandId.indexOf('_') + 1),
    fencingToken,
  ],
  reply: z.int(),
});
