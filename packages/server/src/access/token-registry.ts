import { createHash, timingSafeEqual } from 'node:crypto';
import { type Clock, type Facts, Json, type RandomBytes, UsageError } from '@signalbox/core';
import * as z from 'zod';
import { TokenEntry, type Visitor } from './token-entry.ts';

export type NewToken = Pick<TokenEntry, 'kind' | 'name' | 'role' | 'provider' | 'from' | 'server'> & {
  /** Milliseconds; null: valid until revoked. */
  readonly lifetimeMs: number | null;
};

/** The access tokens of a workspace, kept in its store. All processes on that store share them. */
export type TokenRegistry = {
  /**
   * The only place that returns the token itself.
   *
   * @throws {UsageError} `provider-token` when a provider's token names no provider, or another token names one.
   */
  create(token: NewToken): Promise<{ readonly token: string; readonly entry: TokenEntry }>;
  /** Oldest first, without the expired ones. */
  list(): Promise<readonly TokenEntry[]>;
  /**
   * Revokes every entry that `matches` and every token it let in, from the next request on. Returns the removed
   * entries.
   */
  revoke(matches: (entry: TokenEntry) => boolean): Promise<readonly TokenEntry[]>;
  /** The visitor of a token; null when it is unknown, expired or revoked. */
  find(token: string): Promise<Visitor | null>;
  /** Whether this token is still valid. */
  has(tokenId: string): Promise<boolean>;
};

const KEY = 'access-tokens';
/** 256 random bits: too many to guess, so a slow hash adds nothing. */
const TOKEN_BYTES = 32;
const PREFIX = 'sbx_';
const Entries = z.array(TokenEntry).readonly();

export function createTokenRegistry(parts: {
  readonly facts: Facts;
  readonly clock: Clock;
  readonly random: RandomBytes;
}): TokenRegistry {
  const { facts, clock, random } = parts;

  async function living(): Promise<readonly TokenEntry[]> {
    return livingOf(await facts.get(KEY));
  }

  async function change(next: (entries: readonly TokenEntry[]) => readonly TokenEntry[]): Promise<void> {
    for (;;) {
      const stored = await facts.get(KEY);
      if (await facts.compareAndSet(KEY, { expected: stored, value: Json.parse(next(livingOf(stored))) }))
        return;
    }
  }

  function livingOf(stored: Json | undefined): readonly TokenEntry[] {
    const entries = stored === undefined ? [] : Entries.parse(stored);
    return withoutOrphans(entries.filter(({ expiresAt }) => expiresAt === null || expiresAt > clock.now()));
  }

  return {
    async create({ lifetimeMs, ...of }) {
      checkProvider(of);
      const token = PREFIX + Buffer.from(random(TOKEN_BYTES)).toString('base64url');
      const now = clock.now();
      const entry: TokenEntry = {
        id: `tok_${Buffer.from(random(6)).toString('hex')}`,
        ...of,
        hash: hashOf(token).toString('hex'),
        createdAt: now,
        expiresAt: lifetimeMs === null ? null : now + lifetimeMs,
      };
      await change((entries) => [...entries, entry]);
      return { token, entry };
    },
    list: living,
    async revoke(matches) {
      let gone: readonly TokenEntry[] = [];
      await change((entries) => {
        const left = withoutOrphans(entries.filter((entry) => !matches(entry)));
        gone = entries.filter((entry) => !left.includes(entry));
        return left;
      });
      return gone;
    },
    async find(token) {
      const hash = hashOf(token);
      const entry = (await living()).find((one) => timingSafeEqual(Buffer.from(one.hash, 'hex'), hash));
      if (entry === undefined) return null;
      const { id: tokenId, kind, name, role, provider } = entry;
      return { tokenId, kind, name, role, provider };
    },
    async has(tokenId) {
      return (await living()).some(({ id }) => id === tokenId);
    },
  };
}

/** The entries whose inviter is present, oldest first: an inviter precedes the tokens it let in. */
function withoutOrphans(entries: readonly TokenEntry[]): readonly TokenEntry[] {
  const known = new Set<string>();
  return entries.filter(({ id, from }) => {
    if (from !== undefined && !known.has(from)) return false;
    known.add(id);
    return true;
  });
}

function checkProvider({ role, provider }: Pick<TokenEntry, 'role' | 'provider'>): void {
  if ((role === 'provider') === (provider !== null)) return;
  throw new UsageError(
    'provider-token',
    role === 'provider'
      ? 'Cannot create a provider token without the name of the provider'
      : `Cannot create a token of role ${role} for a provider`,
    { next: ['signalbox token create --role provider --provider claude-code'] },
  );
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
