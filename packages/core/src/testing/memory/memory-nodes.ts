import type { NodeId } from '../../id.ts';
import type { NodeRecord, Nodes } from '../../ports/nodes.ts';

export type MemoryNodes = {
  /** Adds a process to the workspace. */
  join(id: NodeId): Nodes;
  /** It sends no more heartbeats: the others consider it dead. */
  die(id: NodeId): void;
  /** It is alive after all. */
  comeBack(id: NodeId): void;
};

/** The nodes of a workspace in memory, for tests: none dies by itself. */
export function createMemoryNodes(): MemoryNodes {
  const known = new Map<NodeId, NodeRecord>();
  const living = new Map<NodeId, NodeRecord>();
  const dead = new Map<NodeId, NodeRecord>();
  const onDead = new Map<NodeId, Set<(dead: readonly NodeRecord[]) => void>>();
  const onReturned = new Map<NodeId, Set<() => void>>();

  function die(id: NodeId): void {
    const member = living.get(id);
    if (member === undefined) return;
    living.delete(id);
    dead.set(id, member);
    for (const [of, listeners] of onDead) {
      if (living.has(of)) for (const listener of listeners) listener([...dead.values()]);
    }
  }

  return {
    die,
    comeBack(id) {
      const member = known.get(id);
      if (member === undefined) return;
      dead.delete(id);
      living.set(id, member);
      for (const listener of onReturned.get(id) ?? []) listener();
    },
    join(id) {
      const of = { kind: 'coordinator', host: 'here', pid: 1, identity: {}, version: '0' } as const;
      const member: NodeRecord = { id, ...of, startedAt: known.size, labels: [], concurrency: 0 };
      known.set(id, member);
      living.set(id, member);
      const own = { dead: new Set<(dead: readonly NodeRecord[]) => void>(), returned: new Set<() => void>() };
      onDead.set(id, own.dead);
      onReturned.set(id, own.returned);
      return {
        self: id,
        isCurrent: () => living.has(id),
        living: async () => [...living.values()],
        dead: async () => [...dead.values()],
        onDead(listener) {
          own.dead.add(listener);
          return () => own.dead.delete(listener);
        },
        onReturned(listener) {
          own.returned.add(listener);
          return () => own.returned.delete(listener);
        },
        // Memory is never away.
        onRestored: () => () => undefined,
        declareDead: async (other) => die(other),
        async settled(other) {
          dead.delete(other);
        },
      };
    },
  };
}
