import { expect, test } from 'vitest';
import type { CommandId } from '../../id.ts';
import type { CommandStore } from '../../ports/command-store.ts';
import { aCommandId, aCommandRecord, ended } from '../builders.ts';

/** The contract of every `CommandStore` for unfinished commands; within the `describe` of its contract. */
export function unfinishedContract(setUp: () => Promise<{ readonly store: CommandStore }>): void {
  test('unfinished() returns all unfinished commands, in order of arrival', async () => {
    const { store } = await setUp();
    const labels = ['c', 'a', 'd', 'b'];
    for (const label of labels) await store.commit(aCommandRecord({ id: aCommandId(label) }), []);
    await store.commit(aCommandRecord({ id: aCommandId('c'), revision: 2, state: 'running' }), []);
    await store.commit(ended(aCommandRecord({ id: aCommandId('a') })), []);
    expect((await store.unfinished()).map(({ id, state }) => [id, state])).toEqual([
      [aCommandId('c'), 'running'],
      [aCommandId('d'), 'submitted'],
      [aCommandId('b'), 'submitted'],
    ]);
  });

  test('unfinished() returns the first of some states, of any number, and all are counted (F-B4)', async () => {
    const { store } = await setUp();
    const labels = Array.from({ length: 450 }, (_, n) => `n${n}`);
    for (const [n, label] of labels.entries()) {
      const state = n % 3 === 0 ? 'queued' : n % 3 === 1 ? 'awaiting_approval' : 'submitted';
      await store.commit(aCommandRecord({ id: aCommandId(label), state }), []);
    }
    await store.commit(ended(aCommandRecord({ id: aCommandId('n0') })), []);
    expect((await store.unfinished()).length).toBe(449);
    const first = await store.unfinished({ states: ['queued', 'submitted'], limit: 3 });
    expect(first.map(({ id }) => id)).toEqual(['n2', 'n3', 'n5'].map(aCommandId));
    expect((await store.unfinished({ states: ['queued'], limit: 300 })).length).toBe(149);
    const { provider } = aCommandRecord().context;
    expect(await store.countUnfinished()).toEqual([
      { state: 'awaiting_approval', provider, commands: 150 },
      { state: 'queued', provider, commands: 149 },
      { state: 'submitted', provider, commands: 150 },
    ]);
  });

  test('eachUnfinished() hands them over in order of arrival, also when commands finish meanwhile', async () => {
    const { store } = await setUp();
    const ids = Array.from({ length: 450 }, (_, n) => aCommandId(`n${n}`));
    for (const id of ids) await store.commit(aCommandRecord({ id }), []);
    const taken: CommandId[] = [];
    await store.eachUnfinished(async (record) => {
      taken.push(record.id);
      if (taken.length % 2 === 0) await store.commit(ended(record), []);
      return taken.length < 430;
    }, ignored);
    expect(taken).toEqual(ids.slice(0, 430));
    expect(await store.unfinished()).toHaveLength(235);
  });
}

function ignored(): void {
  // None of them is damaged.
}
