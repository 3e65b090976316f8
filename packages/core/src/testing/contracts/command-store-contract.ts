import { describe, expect, onTestFinished, test } from 'vitest';
import type { CommandRecord } from '../../commands/command.ts';
import { RevisionError } from '../../errors/errors.ts';
import type { Event } from '../../event.ts';
import type { CommandId } from '../../id.ts';
import type { CommandStore, HistoryRetention } from '../../ports/command-store.ts';
import type { EventLog } from '../../ports/event-log.ts';
import {
  aCall,
  aCallContext,
  aCommandId,
  aCommandRecord,
  anOutputEvent,
  aProviderId,
  aSessionId,
  aSubmittedEvent,
  ended,
  SOME_TIME,
} from '../builders.ts';
import { unfinishedContract } from './unfinished-contract.ts';

/** An empty store with its event log. */
export type CommandStoreHarness = {
  readonly store: CommandStore;
  readonly events: EventLog;
  close(): Promise<void>;
};

/** The contract of every `CommandStore` (A3, F7, R4, S003-79, X-36). */
export function commandStoreContract(name: string, start: () => Promise<CommandStoreHarness>): void {
  async function setUp(): Promise<CommandStoreHarness> {
    const harness = await start();
    onTestFinished(() => harness.close());
    return harness;
  }

  describe(`${name} keeps the command store's contract:`, () => {
    test('a committed record is read back unchanged, and an unknown id is null', async () => {
      const { store } = await setUp();
      const record = ended(aCommandRecord(), { outcome: 'failed' });
      await store.commit({ ...record, revision: 1 }, []);
      expect(await store.get(record.id)).toEqual({ ...record, revision: 1 });
      expect(await store.get(aCommandId('nobody'))).toBeNull();
    });

    test('a commit on an older revision is refused, and neither its record nor its events are stored', async () => {
      const { store, events } = await setUp();
      const record = aCommandRecord();
      await store.commit(record, []);
      await store.commit({ ...record, revision: 2, state: 'classified' }, []);
      for (const revision of [1, 2, 4]) {
        const late = { ...record, revision, title: 'late' };
        await expect(store.commit(late, [aSubmittedEvent()])).rejects.toThrow(RevisionError);
      }
      expect(await store.get(record.id)).toEqual({ ...record, revision: 2, state: 'classified' });
      expect(await events.lastId()).toBeNull();
    });

    test('a new command starts at revision 1', async () => {
      const { store } = await setUp();
      await expect(store.commit(aCommandRecord({ revision: 2 }), [])).rejects.toThrow(RevisionError);
      expect(await store.get(aCommandId())).toBeNull();
    });

    test('one of two concurrent commits on the same revision is refused', async () => {
      const { store } = await setUp();
      await store.commit(aCommandRecord(), []);
      const commits = ['one', 'two'].map((title) => store.commit(aCommandRecord({ revision: 2, title }), []));
      const answers = await Promise.allSettled(commits);
      expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    });

    test('the events of a commit reach log and subscribers once its record is stored', async () => {
      const { store, events } = await setUp();
      const record = aCommandRecord();
      const heard = new Promise<{ event: Event; stored: Promise<CommandRecord | null> }>((resolve) => {
        events.subscribe((event) => resolve({ event, stored: store.get(record.id) }));
      });
      await store.commit(record, [aSubmittedEvent(record)]);
      const { event, stored } = await heard;
      expect(await stored).toEqual(record);
      expect(event).toMatchObject(aSubmittedEvent(record));
      expect(await events.since(null)).toEqual({ kind: 'events', events: [event] });
    });

    test("a commit with an event that can't be stored stores nothing at all", async () => {
      const { store, events } = await setUp();
      const unwritable = anOutputEvent(1n as unknown as string);
      await expect(store.commit(aCommandRecord(), [aSubmittedEvent(), unwritable])).rejects.toThrow(
        TypeError,
      );
      expect(await store.get(aCommandId())).toBeNull();
      expect(await events.since(null)).toEqual({ kind: 'events', events: [] });
    });

    test('find() returns ids by prefix, sorted and at most twenty', async () => {
      const { store } = await setUp();
      for (const label of ['b2', 'a1', 'b1']) {
        await store.commit(aCommandRecord({ id: aCommandId(label) }), []);
      }
      expect(await store.find('b')).toEqual([aCommandId('b1'), aCommandId('b2')]);
      expect(await store.find('b2')).toEqual([aCommandId('b2')]);
      expect(await store.find('%')).toEqual([]);
      for (let n = 10; n < 35; n++) await store.commit(aCommandRecord({ id: aCommandId(`c${n}`) }), []);
      const found = await store.find('c');
      expect(found).toHaveLength(20);
      expect(found).toEqual(found.toSorted());
      expect(found[0]).toBe(aCommandId('c10'));
    });

    test('list() goes from the newest to the oldest, and equal times by id (S003-46, L-21)', async () => {
      const { store } = await setUp();
      const at = (label: string, ms: number): CommandRecord =>
        aCommandRecord({ id: aCommandId(label), submittedAt: SOME_TIME + ms });
      for (const record of [at('b', 5), at('a', 5), at('c', 1), at('d', 9)]) await store.commit(record, []);
      const ids = async (filter: Parameters<CommandStore['list']>[0]) =>
        (await store.list(filter)).map(({ id }) => id);
      expect(await ids({})).toEqual(['d', 'b', 'a', 'c'].map((label) => aCommandId(label)));
      expect(await ids({ limit: 2 })).toEqual(['d', 'b'].map((label) => aCommandId(label)));
      expect(await ids({ from: SOME_TIME + 5, to: SOME_TIME + 5 })).toEqual(
        ['b', 'a'].map((label) => aCommandId(label)),
      );
    });

    test('list() returns a hundred by default', async () => {
      const { store } = await setUp();
      for (let n = 0; n < 105; n++) await store.commit(aCommandRecord({ id: aCommandId(`c${n}`) }), []);
      expect(await store.list({})).toHaveLength(100);
      expect(await store.list({ limit: 1000 })).toHaveLength(105);
    });

    test('list() applies every part of its filter (S003-46)', async () => {
      const { store } = await setUp();
      const records = {
        plain: aCommandRecord({ id: aCommandId('plain') }),
        other: aCommandRecord({
          id: aCommandId('other'),
          context: aCallContext({ provider: aProviderId('openai') }),
        }),
        later: aCommandRecord({
          id: aCommandId('later'),
          context: aCallContext({ sessionId: aSessionId('later') }),
        }),
        shell: aCommandRecord({ id: aCommandId('shell'), call: aCall({ tool: 'bash' }) }),
        failed: aCommandRecord({ id: aCommandId('failed') }),
      };
      for (const record of Object.values(records)) await store.commit(record, []);
      await store.commit(ended(records.failed, { outcome: 'failed' }), []);
      const labels = async (filter: Parameters<CommandStore['list']>[0]) => {
        const found = new Set((await store.list(filter)).map(({ id }) => id));
        return Object.entries(records).flatMap(([label, { id }]) => (found.has(id) ? [label] : []));
      };
      expect(await labels({ provider: aProviderId('openai') })).toEqual(['other']);
      expect(await labels({ sessionId: aSessionId('later') })).toEqual(['later']);
      expect(await labels({ tool: 'bash' })).toEqual(['shell']);
      expect(await labels({ states: ['done'] })).toEqual(['failed']);
      expect(await labels({ outcomes: ['failed', 'lost'] })).toEqual(['failed']);
      expect(await labels({ outcomes: ['completed'] })).toEqual([]);
      expect(await labels({ states: [] })).toEqual([]);
      expect(await labels({ tool: 'echo', provider: aProviderId() })).toEqual(['plain', 'later', 'failed']);
    });

    unfinishedContract(setUp);

    test('rotate() drops only the commands that finished first, and the totals still count them (S003-79, X-36, L-22)', async () => {
      const { store } = await setUp();
      const end = async (
        label: string,
        outcome: 'completed' | 'failed',
        { endedAt }: Readonly<{ endedAt: number }>,
      ): Promise<void> => {
        const record = aCommandRecord({ id: aCommandId(label) });
        await store.commit(record, []);
        await store.commit(ended(record, { outcome, endedAt: SOME_TIME + endedAt }), []);
      };
      await store.commit(aCommandRecord({ id: aCommandId('living') }), []);
      await end('first', 'completed', { endedAt: 10 });
      await end('third', 'failed', { endedAt: 30 });
      await end('second', 'completed', { endedAt: 20 });
      const line = { provider: aProviderId(), tool: 'echo' };
      const totals = [
        { ...line, outcome: 'completed', commands: 2, durationMs: 80, waitedMs: 120 },
        { ...line, outcome: 'failed', commands: 1, durationMs: 40, waitedMs: 60 },
      ];
      expect(await store.totals()).toEqual(totals);
      expect(await store.rotate(keepLast(1))).toBe(2);
      expect(await store.rotate(keepLast(1))).toBe(0);
      expect((await store.list({})).map(({ id }) => id).toSorted()).toEqual(
        [aCommandId('living'), aCommandId('third')].toSorted(),
      );
      expect(await store.totals()).toEqual(totals);
      await end('fourth', 'completed', { endedAt: 40 });
      expect(await store.rotate(keepLast(0))).toBe(2);
      expect(await store.totals()).toEqual([
        { ...totals[0], commands: 3, durationMs: 120, waitedMs: 180 },
        totals[1],
      ]);
    });

    test('rotate() keeps by age and size, at least the minimum, and all of a running session (U-B7)', async () => {
      const { store } = await setUp();
      const bytes: number[] = [];
      for (const [index, label] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) {
        const context = aCallContext({ sessionId: aSessionId(label === 'b' ? 'living' : 'gone') });
        const record = aCommandRecord({ id: aCommandId(label), context });
        const done = ended(record, { outcome: 'completed', endedAt: SOME_TIME + index * 10 });
        await store.commit(record, []);
        await store.commit(done, []);
        bytes.push(Buffer.byteLength(JSON.stringify(done)));
      }
      const kept = async (): Promise<readonly CommandId[]> =>
        (await store.list({})).map(({ id }) => id).toSorted();
      const ids = (...labels: string[]): readonly CommandId[] => labels.map(aCommandId).toSorted();
      const all = bytes.reduce((sum, one) => sum + one, 0);
      const keep = { atLeast: 1, since: 0, maxBytes: all, spared: [aSessionId('living')] };

      expect(await store.rotate(keep)).toBe(0);
      // Two are older than allowed, but the other one belongs to a running session.
      expect(await store.rotate({ ...keep, since: SOME_TIME + 20 })).toBe(1);
      expect(await kept()).toEqual(ids('b', 'c', 'd', 'e', 'f'));
      // One byte too many: the first that may be dropped is dropped.
      const left = all - (bytes[0] ?? 0);
      expect(await store.rotate({ ...keep, maxBytes: left })).toBe(0);
      expect(await store.rotate({ ...keep, maxBytes: left - 1 })).toBe(1);
      expect(await kept()).toEqual(ids('b', 'd', 'e', 'f'));
      expect(await store.rotate({ ...keep, atLeast: 2, maxBytes: 0 })).toBe(1);
      expect(await store.rotate({ ...keep, atLeast: 2, since: SOME_TIME + 1000 })).toBe(0);
      expect(await kept()).toEqual(ids('b', 'e', 'f'));
      expect((await store.totals()).map(({ commands }) => commands)).toEqual([6]);
    });

    test('rotate() skips more commands of a running session than one round examines', async () => {
      const { store } = await setUp();
      for (let index = 0; index < 520; index++) {
        const context = aCallContext({ sessionId: aSessionId(index < 510 ? 'living' : 'gone') });
        const record = aCommandRecord({ id: aCommandId(`n${index}`), context, revision: 1 });
        await store.commit(
          { ...ended(record, { outcome: 'completed', endedAt: SOME_TIME + index }), revision: 1 },
          [],
        );
      }
      expect(await store.rotate({ ...keepLast(5), spared: [aSessionId('living')] })).toBe(5);
      expect((await store.list({ limit: 1000 })).length).toBe(515);
    });
  });
}

/** Drops everything but the last. */
function keepLast(count: number): HistoryRetention {
  return { atLeast: count, since: Infinity, maxBytes: Infinity };
}
