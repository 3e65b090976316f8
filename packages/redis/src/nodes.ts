import { type Clock, type Logger, NodeRecord, type NodeId, type Nodes, type SeenNode } from '@signalbox/core';
import * as z from 'zod';
import type { RedisConnection } from './connection/connection.ts';
import { jsonText } from './json-text.ts';
import { watchNeighbours } from './local-nodes.ts';
import { createRounds } from './rounds.ts';
import { defineScript, luaFile } from './script.ts';

export type NodeFacts = Omit<NodeRecord, 'startedAt'>;

/** The members, also readable by a process that is not one. */
export type ListedNodes = Pick<Nodes, 'living' | 'dead'> & {
  /** All members with when they were last seen, the living first. */
  seen(): Promise<readonly SeenNode[]>;
};

export type RedisNodes = Nodes &
  ListedNodes & {
    /** Enters: from now on other members see this process. */
    open(): Promise<void>;
    /** Called after a member came, left or died. Call the result to stop. */
    onChange(listener: () => void): () => void;
    /** Called when the process of a member on this machine has ended. Call the result to stop. */
    onEnded(listener: (member: NodeRecord) => void): () => void;
    /** Sends a heartbeat now and reads the other members. */
    beat(): Promise<void>;
    /** Offers no more slots: it gets nothing new, and what it runs continues. */
    takeNoMore(): Promise<void>;
    /** Leaves. 'settled': nothing is left to take over; 'dead': it still led something. */
    leave(how: 'dead' | 'settled'): Promise<void>;
    close(): void;
  };

/** Heartbeats per time to live. */
const HEARTBEATS_PER_TTL = 5;

const memberArray = z.array(jsonText.pipe(NodeRecord));

const nodeHeartbeat = defineScript({
  url: luaFile('nodes/node-heartbeat'),
  argv: ({ self, ttlMs }: { self: NodeFacts; ttlMs: number }) => [
    self.id,
    ttlMs,
    JSON.stringify(self).slice(1, -1),
  ],
  reply: z
    .tuple([z.coerce.number(), memberArray, memberArray])
    .transform(([now, living, dead]) => ({ now, living, dead })),
});

const nodeList = defineScript({
  url: luaFile('nodes/node-list'),
  argv: () => [],
  reply: z
    .tuple([memberArray, memberArray, z.array(z.string())])
    .transform(([living, dead, seen]) => ({ living, dead, seenMs: byId(seen) })),
});

const nodeLeave = defineScript({
  url: luaFile('nodes/node-leave'),
  argv: ({ id, how }: { id: NodeId; how: 'dead' | 'settled' }) => [id, how],
  reply: z.enum(['done', 'unknown']),
});

/**
 * This process among the members of its workspace. It is known after `open` and sends a heartbeat every fifth of
 * `ttlMs`.
 */
export function createNodes(options: {
  readonly connection: RedisConnection;
  readonly self: NodeFacts;
  /** Must be the same in every process of the workspace. */
  readonly ttlMs: number;
  /**
   * Whether that member's process has ended, as far as this machine can tell: it is declared dead at once. Default:
   * never.
   */
  readonly hasEnded?: (member: NodeRecord) => Promise<boolean>;
  readonly clock: Clock;
  readonly logger: Logger;
}): RedisNodes {
  const { connection, ttlMs, clock, logger } = options;
  let { self } = options;
  const onDead = new Set<(dead: readonly NodeRecord[]) => void>();
  const onChange = new Set<() => void>();
  const onReturned = new Set<() => void>();
  const onRestored = new Set<() => void>();
  const onEnded = new Set<(member: NodeRecord) => void>();
  const neighbours = watchNeighbours({
    ...options,
    hasEnded: options.hasEnded ?? (async () => false),
    async onEnded(member) {
      await leave(member.id, 'dead');
      for (const listener of onEnded) listener(member);
    },
  });
  let currentUntil = -Infinity;
  let isOpen = false;
  let away = false;

  async function sendHeartbeat(): Promise<{ living: readonly NodeRecord[]; dead: readonly NodeRecord[] }> {
    const askedAt = clock.monotonic();
    const reply = await connection.run(nodeHeartbeat, { self, ttlMs });
    currentUntil = Math.max(currentUntil, askedAt + ttlMs);
    neighbours.know([...reply.living, ...reply.dead]);
    return reply;
  }

  async function leave(id: NodeId, how: 'dead' | 'settled'): Promise<void> {
    await connection.run(nodeLeave, { id, how });
  }

  async function round(): Promise<number> {
    try {
      const hasReturned = isOpen && clock.monotonic() >= currentUntil;
      const { dead } = await sendHeartbeat();
      away = false;
      if (hasReturned) for (const listener of onReturned) listener();
      if (dead.length > 0) for (const listener of onDead) listener(dead);
    } catch (error) {
      if (!away) logger.warn({ error, member: self.id }, 'heartbeat failed; trying again');
      away = true;
    }
    return ttlMs / HEARTBEATS_PER_TTL;
  }

  const rounds = createRounds(clock, round);

  return {
    self: self.id,
    beat: rounds.now,
    isCurrent: () => isOpen && clock.monotonic() < currentUntil,
    ...listNodes(connection),
    onDead(listener) {
      onDead.add(listener);
      return () => onDead.delete(listener);
    },
    onReturned(listener) {
      onReturned.add(listener);
      return () => onReturned.delete(listener);
    },
    onRestored(listener) {
      onRestored.add(listener);
      return () => onRestored.delete(listener);
    },
    onChange(listener) {
      onChange.add(listener);
      return () => onChange.delete(listener);
    },
    onEnded(listener) {
      onEnded.add(listener);
      return () => onEnded.delete(listener);
    },
    async open() {
      await sendHeartbeat();
      isOpen = true;
      connection.onRestored(() => {
        for (const listener of onRestored) listener();
      });
      const tell = (): void => {
        for (const listener of onChange) listener();
      };
      await connection.subscriptions.add({
        channel: `${connection.prefix}members`,
        receive: (id) => {
          tell();
          if (id !== self.id) void rounds.now();
        },
        begin: () => {
          tell();
          void rounds.now();
        },
      });
    },
    async takeNoMore() {
      self = { ...self, concurrency: 0 };
      await rounds.now();
    },
    declareDead: (id) => leave(id, 'dead'),
    settled: (id) => leave(id, 'settled'),
    async leave(how) {
      neighbours.stop();
      rounds.stop();
      isOpen = false;
      await leave(self.id, how);
    },
    close() {
      neighbours.stop();
      rounds.stop();
    },
  };
}

export function listNodes(connection: RedisConnection): ListedNodes {
  const list = () => connection.run(nodeList, undefined);
  return {
    living: async () => (await list()).living,
    dead: async () => (await list()).dead,
    async seen() {
      const { living, dead, seenMs } = await list();
      const of = (members: readonly NodeRecord[], isAlive: boolean): readonly SeenNode[] =>
        members.map((member) => ({ member, isAlive, seenMsAgo: seenMs.get(member.id) ?? null }));
      return [...of(living, true), ...of(dead, false)];
    },
  };
}

function byId(pairs: readonly string[]): ReadonlyMap<string, number> {
  const known = new Map<string, number>();
  for (let n = 0; n + 1 < pairs.length; n += 2) known.set(pairs[n] ?? '', Number(pairs[n + 1]));
  return known;
}
