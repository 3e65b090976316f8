import { createManualClock, createMemoryFacts, createSeededRandom } from '@signalbox/core/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTokenRegistry } from './token-registry.ts';

test('a token is valid while every token that let it in is neither revoked nor expired', async () => {
  const invited = fc.record({ by: fc.nat(), lifetimeMs: fc.option(fc.integer({ min: 1, max: 10 })) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(invited, { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(), { maxLength: 2 }),
      fc.nat(12),
      async (plan, revoked, laterMs) => {
        const clock = createManualClock();
        const registry = createTokenRegistry({
          facts: createMemoryFacts(),
          clock,
          random: createSeededRandom(1),
        });
        const made: { id: string; token: string; ends: number; chain: readonly number[] }[] = [];
        for (const [n, { by, lifetimeMs }] of plan.entries()) {
          const inviter = n === 0 ? undefined : made[by % (n + 1)];
          const { entry, token } = await registry.create({
            kind: inviter === undefined ? 'made' : 'browser',
            ...(inviter === undefined ? {} : { from: inviter.id }),
            name: `holder ${n}`,
            role: 'viewer',
            provider: null,
            lifetimeMs,
          });
          made.push({
            id: entry.id,
            token,
            ends: lifetimeMs ?? Infinity,
            chain: [...(inviter?.chain ?? []), n],
          });
        }
        const gone = new Set(revoked.map((one) => one % made.length));
        for (const one of gone) await registry.revoke(({ id }) => id === made[one]?.id);
        await clock.advance(laterMs);
        for (const { id, token, chain } of made) {
          const isGood = chain.every((one) => !gone.has(one) && (made[one]?.ends ?? 0) > laterMs);
          expect((await registry.find(token))?.tokenId ?? null).toBe(isGood ? id : null);
          expect(await registry.has(id)).toBe(isGood);
        }
      },
    ),
  );
});
