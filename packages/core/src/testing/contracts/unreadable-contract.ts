import { describe, expect, onTestFinished, test } from 'vitest';
import type { CommandId } from '../../id.ts';
import { aCommandId, aCommandRecord, ended } from '../builders.ts';
import type { CommandStoreHarness } from './command-store-contract.ts';

export type UnreadableHarness = CommandStoreHarness & {
  /** Overwrites the stored record of a command. */
  readonly damage: (id: CommandId, text: string) => Promise<void>;
};

/** The contract of every `CommandStore` on a disk for unreadable records, and for made-up names. */
export function unreadableContract(name: string, start: () => Promise<UnreadableHarness>): void {
  async function setUp(): Promise<UnreadableHarness> {
    const harness = await start();
    onTestFinished(() => harness.close());
    return harness;
  }
  const [cut, other] = [aCommandId('n1'), aCommandId('n3')];
  const DAMAGES = [
    [cut, '{"id":"cmd_n1","call":{"to'],
    [other, '{}'],
  ] as const;

  describe(`${name} serves the other commands when one can't be read:`, () => {
    test('eachUnfinished() reports it, and unfinished() leaves it out', async () => {
      const { store, damage } = await setUp();
      const ids = Array.from({ length: 450 }, (_, n) => aCommandId(`n${n}`));
      for (const id of ids) await store.commit(aCommandRecord({ id }), []);
      for (const [id, text] of DAMAGES) await damage(id, text);
      const [taken, unreadable]: string[][] = [[], []];
      await store.eachUnfinished(
        async ({ id }) => Boolean(taken?.push(id)),
        (id) => void unreadable?.push(id),
      );
      const rest = ids.filter((id) => id !== cut && id !== other);
      expect([taken, unreadable]).toEqual([rest, [cut, other]]);
      expect((await store.unfinished()).map(({ id }) => id)).toEqual(rest);
      expect((await store.unfinished({ limit: 3 })).map(({ id }) => id)).toEqual(
        ['n0', 'n2', 'n4'].map(aCommandId),
      );
      const { provider } = aCommandRecord().context;
      expect(await store.countUnfinished()).toEqual([{ state: 'submitted', provider, commands: 450 }]);
    });

    test('get() returns null for it, and find() lists it', async () => {
      const { store, damage } = await setUp();
      for (const [id, text] of DAMAGES) {
        await store.commit(aCommandRecord({ id }), []);
        await damage(id, text);
        expect([await store.get(id), await store.find(id.slice('cmd_'.length))]).toEqual([null, [id]]);
      }
    });

    test('list() leaves it out, and still returns the requested number', async () => {
      const { store, damage } = await setUp();
      const ids = Array.from({ length: 7 }, (_, n) => aCommandId(`n${n}`));
      for (const [n, id] of ids.entries())
        await store.commit({ ...ended(aCommandRecord({ id, submittedAt: 100 - n })), revision: 1 }, []);
      for (const [id, text] of DAMAGES) await damage(id, text);
      const listed = async (limit?: number) =>
        (await store.list(limit === undefined ? {} : { limit })).map(({ id }) => id);
      expect(await listed()).toEqual(['n0', 'n2', 'n4', 'n5', 'n6'].map(aCommandId));
      expect(await listed(3)).toEqual(['n0', 'n2', 'n4'].map(aCommandId));
      expect(await listed(1)).toEqual([aCommandId('n0')]);
      expect(await listed(0)).toEqual([]);
    });
  });

  test(`${name} keeps at most the totals of a thousand names, and counts every command`, async () => {
    const { store } = await setUp();
    for (let n = 0; n < 1040; n++) {
      const id = aCommandId(`n${n}`);
      const { call, context } = aCommandRecord({ id });
      const record = { ...aCommandRecord({ id }), call: { ...call, tool: `made_up_${n}` }, context };
      await store.commit({ ...ended(record), revision: 1 }, []);
    }
    expect(await store.rotate({ atLeast: 0, since: Number.MAX_SAFE_INTEGER, maxBytes: 0 })).toBe(1040);
    const totals = await store.totals();
    expect(totals.length).toBe(1001);
    expect(totals.reduce((sum, { commands }) => sum + commands, 0)).toBe(1040);
    expect(totals.filter(({ tool }) => tool === 'other')).toMatchObject([
      { provider: 'other', commands: 40 },
    ]);
  });
}
