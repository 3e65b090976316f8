import { CommandId, NodeRecord, Mode, ProviderId, SessionId } from '@signalbox/core';
import * as z from 'zod';
import { defineOperation } from '../operation.ts';

const at = z.number().describe('Epoch milliseconds');
const count = z.int().min(0);

const Source = z
  .object({
    state: z
      .enum(['changed', 'refused'])
      .describe('`refused`: its content is invalid, and the previous one stays in effect'),
    at,
    why: z.string().optional(),
  })
  .nullable()
  .describe('Null: as it was at the start');

/** The state of a coordinator and of each of its child actors. */
export const ActorTree = z
  .object({
    coordinator: z.object({
      state: z.enum(['recovering', 'leading', 'draining', 'closing', 'closed']),
      since: at,
    }),
    mode: z.object({
      mode: Mode,
      since: at,
      by: z.string(),
      watched: z.boolean().describe('False when the watcher that changes it has failed'),
    }),
    approvals: z.object({ waiting: count }),
    commands: z
      .object({
        states: z.record(z.string(), count).describe('How many are in each state'),
        first: z.array(z.object({ id: CommandId, state: z.string(), since: at })).readonly(),
      })
      .describe('Led by this coordinator; the first 20 by name'),
    sessions: z
      .object({
        count,
        first: z
          .array(z.object({ id: SessionId, provider: ProviderId, state: z.string(), since: at }))
          .readonly(),
      })
      .describe('The first 20 by name'),
    nodes: z
      .array(NodeRecord)
      .readonly()
      .nullable()
      .describe('Coordinators and workers; null where the workspace has one coordinator'),
    settings: z.object({ files: Source, mcp_servers: Source }),
    faults: z
      .array(z.object({ actor: z.string(), why: z.string(), at }))
      .readonly()
      .describe('Actors that failed since the start, the first 20; the others go on'),
  })
  .meta({ id: 'ActorTree' });
export type ActorTree = z.infer<typeof ActorTree>;

export const getActors = defineOperation('GET', '/api/coordinator/actors', {
  schema: {
    response: { 200: ActorTree },
  },
});
