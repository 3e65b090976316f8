import * as z from 'zod';
import { Claim } from './claim.ts';
import { CommandId, LeaseId, ProviderId } from '../id.ts';

/** Tells a fresh lease from a stale one: from a counter of the backend that only grows. */
export const FencingToken = z.int().positive().brand<'FencingToken'>();
export type FencingToken = z.infer<typeof FencingToken>;

/** Granted claims, for a time. */
export const Lease = z
  .strictObject({
    leaseId: LeaseId,
    commandId: CommandId,
    provider: ProviderId,
    claims: z.array(Claim).readonly(),
    fencingToken: FencingToken,
    grantedAt: z.number(),
    /** By the backend's clock. The process must be dead by then. */
    expiresAt: z.number(),
  })
  .readonly();
export type Lease = z.infer<typeof Lease>;
