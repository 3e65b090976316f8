import { createHash, timingSafeEqual } from 'node:crypto';
import { type Clock, type Facts, Json, type RandomBytes, UsageError } from '@signalbox/core';
import * as z from 'zod';
import { TokenEntry, type Visitor } from './token-entry.ts';

export type NewToken = Pick<TokenEntry, 'kind' | 'name' | 'role' | 'provider' | 'server'> & {
  /** Milliseconds; null: until it is revoked. */
  readonly lifetimeMs: number | null;
};

/** The access tokens of a workspace, kept in its store; every process that has the store sees the same ones. */
export type TokenBook = {
  /**
   * The token itself is told here and nowhere else.
   *
   * @throws {UsageError} `provider-token` when a provider's token names no provider, or another one names one.
   */
  create(token: NewToken): Promise<{ readonly token: string; readonly entry: TokenEntry }>;
  /** Oldest first, without the expired ones. */
  list(): Promise<readonly TokenEntry[]>;
  /** Every entry that `matches`; from the next request on. Answers those that are gone. */
  revoke(matches: (entry: TokenEntry) => boolean): Promise<readonly TokenEntry[]>;
  /** Whose token it is; null when it is nobody's, expired or revoked. */
  find(token: string): Promise<Visitor | null>;
};

const KEY = 'access-tokens';
/** 256 bits: no hash made to be slow is needed where nothing can be guessed. */
const TOKEN_BYTES = 32;
const PREFIX = 'sbx_';
const Entries = z.array(TokenEntry).readonly();

export function createTokenBook(parts: {
  readonly facts: Facts;
  readonly clock: Clock;
  readonly random: RandomBytes;
}): TokenBook {
  const { facts, clock, random } = parts;

  async function entries(): Promise<readonly TokenEntry[]> {
    const stored = await facts.get(KEY);
    return stored === undefined ? [] : Entries.parse(stored);
  }

  async function change(next: (entries: readonly TokenEntry[]) => readonly TokenEntry[]): Promise<void> {
    for (;;) {
      const stored = await facts.get(KEY);
      const living = (stored === undefined ? [] : Entries.parse(stored)).filter(isLiving);
      if (await facts.compareAndSet(KEY, stored, Json.parse(next(living)))) return;
    }
  }

  function isLiving({ expiresAt }: TokenEntry): boolean {
    return expiresAt === null || expiresAt > clock.now();
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
      await change((living) => [...living, entry]);
      return { token, entry };
    },
    async list() {
      return (await entries()).filter(isLiving);
    },
    async revoke(matches) {
      let gone: readonly TokenEntry[] = [];
      await change((living) => {
        gone = living.filter(matches);
        return living.filter((entry) => !matches(entry));
      });
      return gone;
    },
    async find(token) {
      const hash = hashOf(token);
      const entry = (await entries()).find((one) => timingSafeEqual(Buffer.from(one.hash, 'hex'), hash));
      if (entry === undefined || !isLiving(entry)) return null;
      return { tokenId: entry.id, name: entry.name, role: entry.role, provider: entry.provider };
    },
  };
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
