import { createHash } from 'node:crypto';
import type { Clock, RandomBytes } from '@signalbox/core';
import type { Visitor } from './token-entry.ts';

/** Lets a browser in without a token in its address: a code is valid once, for two minutes. */
export type EntryCodes = {
  create(visitor: Visitor): { readonly code: string; readonly expiresAt: number };
  /** The visitor it was made for; null when it is unknown, used or expired. */
  use(code: string): Visitor | null;
};

const LIFETIME_MS = 120_000;
const CODE_BYTES = 16;
/** More than a person opens by hand; the oldest is dropped first. */
const MAX_CODES = 100;

export function createEntryCodes({
  clock,
  random,
}: {
  readonly clock: Clock;
  readonly random: RandomBytes;
}): EntryCodes {
  const open = new Map<string, { visitor: Visitor; expiresAt: number }>();
  return {
    create(visitor) {
      const code = Buffer.from(random(CODE_BYTES)).toString('base64url');
      const expiresAt = clock.now() + LIFETIME_MS;
      open.set(keyOf(code), { visitor, expiresAt });
      for (const oldest of open.keys()) {
        if (open.size <= MAX_CODES) break;
        open.delete(oldest);
      }
      return { code, expiresAt };
    },
    use(code) {
      const found = open.get(keyOf(code));
      open.delete(keyOf(code));
      return found !== undefined && found.expiresAt > clock.now() ? found.visitor : null;
    },
  };
}

/** Codes are looked up by hash, so the time of a lookup reveals nothing about a valid code. */
function keyOf(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
