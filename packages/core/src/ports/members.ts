import * as z from 'zod';
import { MemberId } from '../id.ts';
import { JsonObject } from '../json.ts';

/** A process that works in a workspace together with others. */
export const Member = z
  .strictObject({
    id: MemberId,
    kind: z.enum(['coordinator', 'worker']),
    host: z.string(),
    pid: z.int().positive(),
    /** What tells that process from a later one of the same number, for processes of its host. */
    identity: JsonObject,
    /** Of Signalbox. */
    version: z.string(),
    /** Epoch milliseconds by the backend's clock. */
    startedAt: z.number(),
    /** Of a worker: what it offers, sorted; and how many programs it runs at once. */
    labels: z.array(z.string()).readonly(),
    concurrency: z.int().min(0),
  })
  .readonly();
export type Member = z.infer<typeof Member>;

/** A member as others know it. */
export type SeenMember = {
  readonly member: Member;
  /** False: it has died, and what it led may still be there. */
  readonly isAlive: boolean;
  /** How long ago it last said that it lives, by the backend's clock; null where that is not known. */
  readonly seenMsAgo: number | null;
};

/**
 * Who works in this workspace. A member says again and again that it lives; one that has not for the time to
 * live of a lease is dead to the others, whatever its own machine says.
 */
export interface Members {
  readonly self: MemberId;
  /** Whether the others still take this process for alive; by its own monotonic clock, never later than they do. */
  isCurrent(): boolean;
  /** In the order they came. */
  living(): Promise<readonly Member[]>;
  /** Those who died, until `settled`: what they led may still be there. */
  dead(): Promise<readonly Member[]>;
  /** Calls back while there are dead ones, again and again; answers how to end that. */
  onDead(listener: (dead: readonly Member[]) => void): () => void;
  /** Calls back when the others may have taken this process for dead, and it lives; answers how to end that. */
  onReturned(listener: () => void): () => void;
  /** Calls back when the backend was away and is back: it may have forgotten what was stored last; answers how to end that. */
  onRestored(listener: () => void): () => void;
  /** For whoever has seen that this process has ended: nobody waits for it to come back. */
  declareDead(id: MemberId): Promise<void>;
  /** Nothing is left of what that dead member led: it is forgotten. */
  settled(id: MemberId): Promise<void>;
}
