import { Claim, CommandId, CommandState, Lease, LeaseId, ProviderId, StuckCommand } from '@signalbox/core';
import * as z from 'zod';
import { defineOperation } from '../operation.ts';

/** Of tens of thousands of queued commands, more are never read at once. */
export const MAX_WAITING = 200;

export const WaitingView = z
  .object({
    commandId: CommandId,
    provider: ProviderId,
    claims: z.array(Claim).readonly(),
    priority: z.int(),
    since: z.number().describe('Epoch milliseconds'),
    blockers: z
      .array(CommandId)
      .readonly()
      .describe('Commands that it waits for, earliest first, at most 20'),
  })
  .meta({ id: 'WaitingEntry' });
export type WaitingView = z.infer<typeof WaitingView>;

const counts = z
  .array(z.object({ state: CommandState, provider: ProviderId, commands: z.int() }))
  .readonly()
  .describe('Number of unfinished commands, by state and provider');

/** The queue in a snapshot. */
export const QueueView = z
  .object({
    waiting: z.array(WaitingView).readonly().describe(`The first ${MAX_WAITING}`),
    leases: z.array(Lease).readonly(),
    counts,
  })
  .meta({ id: 'Queue' });
export type QueueView = z.infer<typeof QueueView>;

/** Only for `/api/queue`: a live screen gets these from events. */
export const QueueWithStuck = z
  .object({
    waiting: z.array(WaitingView).readonly().describe('The first `limit` of them'),
    leases: z.array(Lease).readonly(),
    counts,
    stuck: z
      .array(StuckCommand)
      .readonly()
      .describe('Commands with partly applied changes; their claims stay held'),
  })
  .meta({ id: 'QueueWithStuck' });
export type QueueWithStuck = z.infer<typeof QueueWithStuck>;

export const getQueue = defineOperation('GET', '/api/queue', {
  schema: {
    querystring: z.object({
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(2000)
        .default(MAX_WAITING)
        .describe('Most waiting commands to return'),
    }),
    response: { 200: QueueWithStuck },
  },
});

export const listLeases = defineOperation('GET', '/api/leases', {
  schema: {
    response: { 200: z.object({ leases: z.array(Lease).readonly() }) },
  },
});

export const revokeLease = defineOperation('POST', '/api/leases/:id/revoke', {
  schema: {
    params: z.object({ id: LeaseId }),
    body: z.strictObject({ reason: z.string().trim().min(1).max(500).optional() }).nullish(),
    response: {
      200: z.object({
        kind: z
          .enum(['cancelled', 'stopping'])
          .describe(
            '`cancelled`: it had not started. `stopping`: the next command gets it when the process is dead',
          ),
        commandId: CommandId,
      }),
    },
  },
});
