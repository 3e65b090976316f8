import * as z from 'zod';
import { NodeId } from '../id.ts';
import { JsonObject } from '../json.ts';

/** A process that works in a workspace together with others. */
export const NodeRecord = z
  .strictObject({
    id: NodeId,
    kind: z.enum(['coordinator', 'worker']),
    host: z.string(),
    pid: z.int().positive(),
    /** Distinguishes the process from a later one with the same number, for processes of its host. */
    identity: JsonObject,
    /** Version of Signalbox. */
    version: z.string(),
    /** Epoch milliseconds by the backend's clock. */
    startedAt: z.number(),
    /** For a worker: the labels it offers, sorted, and how many programs it runs at once. */
    labels: z.array(z.string()).readonly(),
    concurrency: z.int().min(0),
  })
  .readonly();
export type NodeRecord = z.infer<typeof NodeRecord>;

/** A node as others know it. */
export type SeenNode = {
  readonly member: NodeRecord;
  /** False: it has died, and commands it led may still exist. */
  readonly isAlive: boolean;
  /** Time since its last heartbeat, by the backend's clock; null when unknown. */
  readonly seenMsAgo: number | null;
};

/**
 * The nodes of this workspace. Each sends heartbeats; one without a heartbeat for the time to live of a lease is dead
 * to the others, whatever its own machine says.
 */
export interface Nodes {
  readonly self: NodeId;
  /** Whether the others still consider this process alive; by its own monotonic clock, never later than they do. */
  isCurrent(): boolean;
  /** In order of arrival. */
  living(): Promise<readonly NodeRecord[]>;
  /** Dead nodes that are not yet `settled`: commands they led may still exist. */
  dead(): Promise<readonly NodeRecord[]>;
  /** Calls back repeatedly while there are dead nodes; returns a function that unsubscribes. */
  onDead(listener: (dead: readonly NodeRecord[]) => void): () => void;
  /**
   * Calls back when the others may have considered this process dead while it lived; returns a function that
   * unsubscribes.
   */
  onReturned(listener: () => void): () => void;
  /**
   * Calls back when the backend returns after an outage: it may have lost its last writes. Returns a function that
   * unsubscribes.
   */
  onRestored(listener: () => void): () => void;
  /** Marks a node as dead whose exit the caller has observed: the others do not wait for its return. */
  declareDead(id: NodeId): Promise<void>;
  /** Forgets a dead node: nothing that it led remains. */
  settled(id: NodeId): Promise<void>;
}
