import { describe, expect, onTestFinished, test } from 'vitest';
import { RevisionError } from '../../errors/errors.ts';
import type { NewEvent } from '../../event.ts';
import { NodeId, RunId } from '../../id.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { RunStore } from '../../ports/run-store.ts';

/** No runs yet, and the log that their events go to. */
export type RunStoreHarness = {
  readonly runStore: RunStore;
  readonly events: EventLog;
  close(): Promise<void>;
};

const RUN = RunId.parse('run_aaaaaaaaaaaa');
const OTHER_RUN = RunId.parse('run_bbbbbbbbbbbb');
const A = NodeId.parse('cor_aaaaaaaaaaaa');
const B = NodeId.parse('cor_bbbbbbbbbbbb');
const ended: NewEvent = { type: 'run_ended', runId: RUN, until: null, stoppedBy: null };

/** The contract of every `RunStore`. */
export function runStoreContract(name: string, start: () => Promise<RunStoreHarness>): void {
  async function setUp(): Promise<RunStoreHarness> {
    const harness = await start();
    onTestFinished(() => harness.close());
    return harness;
  }

  describe(`${name} keeps the run store's contract:`, () => {
    test('a run has its last parts until it is over', async () => {
      const { runStore: runs } = await setUp();
      expect(await runs.unfinished()).toEqual([]);
      await runs.commit({ id: OTHER_RUN, owner: A, kind: 'begun', parts: { run: 1 } }, []);
      await runs.commit({ id: RUN, owner: A, kind: 'begun', parts: { run: { by: 'ana' }, one: [1] } }, []);
      await runs.commit({ id: RUN, owner: A, kind: 'changed', parts: { one: [2], two: null } }, []);
      expect(await runs.unfinished()).toEqual([
        { id: RUN, owner: A, parts: { run: { by: 'ana' }, one: [2], two: null } },
        { id: OTHER_RUN, owner: A, parts: { run: 1 } },
      ]);
      await runs.commit({ id: RUN, owner: A, kind: 'over', parts: {} }, []);
      expect((await runs.unfinished()).map(({ id }) => id)).toEqual([OTHER_RUN]);
    });

    test('a step and its events are stored together, or neither', async () => {
      const { runStore: runs, events } = await setUp();
      await runs.commit({ id: RUN, owner: null, kind: 'begun', parts: {} }, []);
      const [stored, ...more] = await runs.commit({ id: RUN, owner: null, kind: 'over', parts: {} }, [ended]);
      expect(more).toEqual([]);
      expect(stored).toMatchObject(ended);
      expect(await events.since(null)).toEqual({ kind: 'events', events: [stored] });
      const again = runs.commit({ id: RUN, owner: null, kind: 'over', parts: {} }, [ended]);
      await expect(again).rejects.toBeInstanceOf(RevisionError);
      expect(await events.since(null)).toEqual({ kind: 'events', events: [stored] });
    });

    test('only its owner stores a step, and a run begins once', async () => {
      const { runStore: runs } = await setUp();
      const change = { id: RUN, owner: A, kind: 'changed', parts: { run: 1 } } as const;
      await expect(runs.commit(change, [])).rejects.toBeInstanceOf(RevisionError);
      await runs.commit({ ...change, kind: 'begun' }, []);
      await expect(runs.commit({ ...change, kind: 'begun' }, [])).rejects.toBeInstanceOf(RevisionError);
      for (const owner of [B, null])
        await expect(runs.commit({ ...change, owner, parts: { run: 2 } }, [])).rejects.toBeInstanceOf(
          RevisionError,
        );
      expect(await runs.unfinished()).toEqual([{ id: RUN, owner: A, parts: { run: 1 } }]);
    });

    test('of several that take a run over one succeeds, and its former owner stores nothing more', async () => {
      const { runStore: runs } = await setUp();
      await runs.commit({ id: RUN, owner: A, kind: 'begun', parts: { run: 1 } }, []);
      const taken = await Promise.all(
        [B, NodeId.parse('cor_cccccccccccc')].map((to) => runs.take(RUN, { from: A, to })),
      );
      expect(taken.filter((one) => one)).toHaveLength(1);
      expect(await runs.take(OTHER_RUN, { from: A, to: B })).toBe(false);
      const late = runs.commit({ id: RUN, owner: A, kind: 'changed', parts: { run: 2 } }, [ended]);
      await expect(late).rejects.toBeInstanceOf(RevisionError);
      const [run] = await runs.unfinished();
      expect(run?.owner).not.toBe(A);
      expect(run?.parts).toEqual({ run: 1 });
    });
  });
}
