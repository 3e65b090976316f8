import { createHash, timingSafeEqual } from 'node:crypto';
import { type Clock, type Facts, Json, type RandomBytes, UsageError } from '@signalbox/core';
import * as z from 'zod';
import { TokenEntry, type Visitor } from './token-entry.ts';

export type NewToken = Pick<TokenEntry, 'kind' | 'name' | 'role' | 'provider' | 'from' | 'server'> & {
  /** Milliseconds; null: until it is revoked. */
  readonly lifetimeMs: number | null;
};

/** The access tokens of a workspace, kept in its store; every process that has the store sees the same ones. */
export type TokenRegistry = {
  /**
   * The token itself is told here and nowhere else.
   *
   * @throws {UsageError} `provider-token` when a provider's token names no provider, or another one names one.
   */
  create(token: NewToken): Promise<{ readonly token: string; readonly entry: TokenEntry }>;
  /** Oldest first, without the expired ones. */
  list(): Promise<readonly TokenEntry[]>;
  /** Every entry that `matches`, and who was let in by it; from the next request on. Answers those that are gone. */
  revoke(matches: (entry: TokenEntry) => boolean): Promise<readonly TokenEntry[]>;
  /** Whose token it is; null when it is nobody's, expired or revoked. */
  find(token: string): Promise<Visitor | null>;
  /** Whether this one is still good. */
  has(tokenId: string): Promise<boolean>;
};

const KEY = 'access-tokens';
/** 256 bits: no hash made to be slow is needed where nothing can be guessed. */
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
      if (await facts.compareAndSet(KEY, stored, Json.parse(next(livingOf(stored))))) return;
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

/** Those whose inviter is there, the oldest first: an inviter stands before whom it let in. */
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
      ? 'Cannot make a token for a provider without its name'
      : `Cannot make a token of role ${role} for a provider`,
    { next: ['signalbox token create --role provider --provider claude-code'] },
  );
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
