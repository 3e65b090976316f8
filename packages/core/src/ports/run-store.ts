import type { Event, NewEvent } from '../event.ts';
import type { NodeId, RunId } from '../id.ts';
import type { Json } from '../json.ts';

/** A run that is not over, as stored by the coordinator that led it last. */
export type StoredRun = {
  readonly id: RunId;
  /** The coordinator that leads it; null where a workspace has one. */
  readonly owner: NodeId | null;
  /** The run itself and its sessions, by name; null for one that can't be read. */
  readonly parts: Readonly<Record<string, Json>>;
};

/** One step of a run. */
export type RunChange = {
  readonly id: RunId;
  readonly owner: NodeId | null;
  /** `begun`: it must be new; `over`: everything of it is removed. */
  readonly kind: 'begun' | 'changed' | 'over';
  /** Parts that this step replaces; the others stay as they were. */
  readonly parts: Readonly<Record<string, Json>>;
};

/** Runs that are not over, so that another process can continue their sessions when this one dies. */
export interface RunStore {
  /**
   * Stores the parts and the events in one step, all or nothing, and durably against the death of this process. Returns
   * the events as the log has them.
   *
   * @throws {RevisionError} when another coordinator leads the run, or it is over: nothing is stored.
   */
  commit(change: RunChange, events: readonly NewEvent[]): Promise<readonly Event[]>;
  /** Sorted by id. */
  unfinished(): Promise<readonly StoredRun[]>;
  /** Makes `to` its owner if `from` still is; returns whether it did. Of several that try, one succeeds. */
  take(id: RunId, owners: Readonly<{ from: NodeId | null; to: NodeId | null }>): Promise<boolean>;
}
