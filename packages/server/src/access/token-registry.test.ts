import { createHash } from 'node:crypto';
import { ProviderId } from '@signalbox/core';
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

function open() {
  const clock = createManualClock();
  const facts = createMemoryFacts();
  const registry = (seed: number) => createTokenRegistry({ facts, clock, random: createSeededRandom(seed) });
  return { clock, facts, registry };
}

const VIEWER = { kind: 'made', name: 'wall', role: 'viewer', provider: null, lifetimeMs: null } as const;

test('the store holds the hash of a token, and the visitor is found by the token alone', async () => {
  const { clock, facts, registry } = open();
  const tokens = registry(1);
  const { token, entry } = await tokens.create({ ...VIEWER, lifetimeMs: 1000, server: 'here' });
  expect(token).toMatch(/^sbx_[\w-]{43}$/);
  expect(entry).toEqual({
    id: expect.stringMatching(/^tok_[0-9a-f]{12}$/),
    kind: 'made',
    name: 'wall',
    role: 'viewer',
    provider: null,
    server: 'here',
    hash: createHash('sha256').update(token).digest('hex'),
    createdAt: clock.now(),
    expiresAt: clock.now() + 1000,
  });
  expect(JSON.stringify(await facts.get('access-tokens'))).not.toContain(token.slice(4));
  expect(await tokens.list()).toEqual([entry]);
  expect(await tokens.find(token)).toEqual({
    tokenId: entry.id,
    kind: 'made',
    name: 'wall',
    role: 'viewer',
    provider: null,
  });
  expect(await tokens.find(entry.hash)).toBeNull();
});

test('a workspace without tokens has none, and an expired one is not listed', async () => {
  const { clock, registry } = open();
  const tokens = registry(1);
  expect(await tokens.list()).toEqual([]);
  expect(await tokens.has('tok_none')).toBe(false);
  const [short, long] = [await tokens.create({ ...VIEWER, lifetimeMs: 1000 }), await tokens.create(VIEWER)];
  expect((await tokens.list()).map(({ id }) => id)).toEqual([short.entry.id, long.entry.id]);
  expect(long.entry.expiresAt).toBeNull();
  await clock.advance(1000);
  expect((await tokens.list()).map(({ id }) => id)).toEqual([long.entry.id]);
});

test('revoking tells which tokens it removed, with those that they let in', async () => {
  const { registry } = open();
  const tokens = registry(1);
  const [wall, desk] = [await tokens.create(VIEWER), await tokens.create({ ...VIEWER, name: 'desk' })];
  const page = await tokens.create({ ...VIEWER, kind: 'browser', from: wall.entry.id });
  expect(await tokens.revoke(({ name }) => name === 'nobody')).toEqual([]);
  expect(await tokens.revoke(({ id }) => id === wall.entry.id)).toEqual([wall.entry, page.entry]);
  expect(await tokens.list()).toEqual([desk.entry]);
});

test('servers of one workspace that create tokens at once keep them all', async () => {
  const { registry } = open();
  const servers = [1, 2, 3, 4, 5].map(registry);
  const made = await Promise.all(servers.map((tokens) => tokens.create(VIEWER)));
  for (const { token, entry } of made) expect((await servers[0]?.find(token))?.tokenId).toBe(entry.id);
});

test('a token of a provider names it, and no other token does', async () => {
  const { registry } = open();
  const tokens = registry(1);
  const provider = ProviderId.parse('codex');
  const next = ['signalbox token create --role provider --provider claude-code'];
  await expect(tokens.create({ ...VIEWER, role: 'provider' })).rejects.toMatchObject({
    code: 'provider-token',
    message: 'Cannot create a provider token without the name of the provider',
    next,
  });
  await expect(tokens.create({ ...VIEWER, provider })).rejects.toMatchObject({
    code: 'provider-token',
    message: 'Cannot create a token of role viewer for a provider',
    next,
  });
  expect(await tokens.list()).toEqual([]);
  const { token } = await tokens.create({ ...VIEWER, role: 'provider', provider });
  expect(await tokens.find(token)).toMatchObject({ role: 'provider', provider: 'codex' });
});
