import {
  type Clock,
  type Logger,
  Member,
  type MemberId,
  type Members,
  type SeenMember,
} from '@signalbox/core';
import * as z from 'zod';
import type { RedisConnection } from './connection/connection.ts';
import { jsonText } from './json-text.ts';
import { watchNeighbours } from './local-members.ts';
import { createRounds } from './rounds.ts';
import { defineScript, luaFile } from './script.ts';

export type MemberFacts = Omit<Member, 'startedAt'>;

/** Who is there, for who is no member too. */
export type ListedMembers = Pick<Members, 'living' | 'dead'> & {
  /** All of them with what is known of their lives, the living first. */
  seen(): Promise<readonly SeenMember[]>;
};

export type RedisMembers = Members &
  ListedMembers & {
    /** Enters: from now on the others count with this process. */
    open(): Promise<void>;
    /** Calls back after somebody came, went or died; call the answer to end that. */
    onChange(listener: () => void): () => void;
    /** Calls back when the process of a member on this machine has ended; call the answer to end that. */
    onEnded(listener: (member: Member) => void): () => void;
    /** Says that it lives, and hears who else does, now. */
    beat(): Promise<void>;
    /** Offers no place any more: nothing new is brought to it, and what it has goes on. */
    takeNoMore(): Promise<void>;
    /** Leaves, with nothing to be taken over; it is not settled while it still led something. */
    leave(how: 'dead' | 'settled'): Promise<void>;
    close(): void;
  };

/** In how many parts of its time to live a member says that it lives. */
const HEARTBEATS_PER_TTL = 5;

const everyone = z.array(jsonText.pipe(Member));

const memberHeartbeat = defineScript({
  url: luaFile('member-beat'),
  argv: ({ self, ttlMs }: { self: MemberFacts; ttlMs: number }) => [
    self.id,
    ttlMs,
    JSON.stringify(self).slice(1, -1),
  ],
  reply: z
    .tuple([z.coerce.number(), everyone, everyone])
    .transform(([now, living, dead]) => ({ now, living, dead })),
});

const memberList = defineScript({
  url: luaFile('member-list'),
  argv: () => [],
  reply: z
    .tuple([everyone, everyone, z.array(z.string())])
    .transform(([living, dead, seen]) => ({ living, dead, seenMs: byId(seen) })),
});

const memberLeave = defineScript({
  url: luaFile('member-leave'),
  argv: ({ id, how }: { id: MemberId; how: 'dead' | 'settled' }) => [id, how],
  reply: z.enum(['done', 'unknown']),
});

/** This process among the others of its workspace. It is known once it is opened, and says every fifth of `ttlMs` that it lives. */
export function createMembers(options: {
  readonly connection: RedisConnection;
  readonly self: MemberFacts;
  /** The same in every process of the workspace. */
  readonly ttlMs: number;
  /** Whether that member's process has ended, as far as this machine can tell: it is not waited for. Default: never. */
  readonly hasEnded?: (member: Member) => Promise<boolean>;
  readonly clock: Clock;
  readonly logger: Logger;
}): RedisMembers {
  const { connection, ttlMs, clock, logger } = options;
  let { self } = options;
  const onDead = new Set<(dead: readonly Member[]) => void>();
  const onChange = new Set<() => void>();
  const onReturned = new Set<() => void>();
  const onRestored = new Set<() => void>();
  const onEnded = new Set<(member: Member) => void>();
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

  async function sayAlive(): Promise<{ living: readonly Member[]; dead: readonly Member[] }> {
    const askedAt = clock.monotonic();
    const reply = await connection.run(memberHeartbeat, { self, ttlMs });
    currentUntil = Math.max(currentUntil, askedAt + ttlMs);
    neighbours.know([...reply.living, ...reply.dead]);
    return reply;
  }

  async function leave(id: MemberId, how: 'dead' | 'settled'): Promise<void> {
    await connection.run(memberLeave, { id, how });
  }

  async function round(): Promise<number> {
    try {
      const isReturned = isOpen && clock.monotonic() >= currentUntil;
      const { dead } = await sayAlive();
      away = false;
      if (isReturned) for (const listener of onReturned) listener();
      if (dead.length > 0) for (const listener of onDead) listener(dead);
    } catch (error) {
      if (!away) logger.warn({ error, member: self.id }, 'not said that this process lives; trying again');
      away = true;
    }
    return ttlMs / HEARTBEATS_PER_TTL;
  }

  const rounds = createRounds(clock, round);

  return {
    self: self.id,
    beat: rounds.now,
    isCurrent: () => isOpen && clock.monotonic() < currentUntil,
    ...listMembers(connection),
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
      await sayAlive();
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

export function listMembers(connection: RedisConnection): ListedMembers {
  const list = () => connection.run(memberList, undefined);
  return {
    living: async () => (await list()).living,
    dead: async () => (await list()).dead,
    async seen() {
      const { living, dead, seenMs } = await list();
      const of = (members: readonly Member[], isAlive: boolean): readonly SeenMember[] =>
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
