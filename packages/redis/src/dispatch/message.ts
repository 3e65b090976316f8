import { ExecutionId, FileTouch, NodeId, NetworkUse } from '@signalbox/core';
import * as z from 'zod';

const CommitAnswerMessage = z.union([
  z.strictObject({ kind: z.literal('ok') }),
  z.strictObject({ kind: z.enum(['conflict', 'denied']), why: z.array(z.string()) }),
]);

const of = { execution: ExecutionId };

/** Messages between a coordinator and a worker about one execution. Each may arrive twice. */
export const DispatchMessage = z.discriminatedUnion('kind', [
  /** To the coordinator. */
  z.strictObject({ kind: z.literal('begun'), ...of, worker: NodeId }),
  z.strictObject({ kind: z.literal('started'), ...of, pid: z.int() }),
  z.strictObject({ kind: z.literal('connection'), ...of, use: NetworkUse }),
  z.strictObject({
    kind: z.literal('may-commit'),
    ...of,
    worker: NodeId,
    changes: z.array(FileTouch),
    removedFolders: z.array(z.string()).default([]),
  }),
  z.strictObject({ kind: z.literal('ended'), ...of }),
  /** Its worker is gone, and none of its processes is left. */
  z.strictObject({ kind: z.literal('reaped'), ...of }),
  /** To the worker. */
  z.strictObject({ kind: z.literal('stop'), ...of }),
  /** After `stop`: skips the grace period. */
  z.strictObject({ kind: z.literal('kill'), ...of }),
  z.strictObject({ kind: z.literal('commit-answer'), ...of, answer: CommitAnswerMessage }),
]);
export type DispatchMessage = z.infer<typeof DispatchMessage>;
export type MessageOf<Kind extends DispatchMessage['kind']> = Extract<DispatchMessage, { kind: Kind }>;
