import { mkdtemp, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  aCommandId,
  aCommandRecord,
  createManualClock,
  createMemoryLogger,
  createSeededRandom,
} from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createEmbeddedBackend } from './backend.ts';

test('one record that cannot be read keeps nobody from the others, and is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-embedded-'));
  const open = () =>
    createEmbeddedBackend({
      folder,
      clock: createManualClock(),
      random: createSeededRandom(),
      limits: { maxConcurrent: 3, maxQueuePerProvider: 10, maxWaitMs: 600_000, leaseTtlMs: 30_000 },
      logger: createMemoryLogger(),
    });
  const ids = Array.from({ length: 450 }, (_, n) => aCommandId(`n${n}`));
  const first = await open();
  for (const id of ids) await first.store.commit(aCommandRecord({ id }), []);
  await first.close();
  const [, cut = '', , other = ''] = ids;
  const database = new DatabaseSync(join(folder, 'state.db'));
  database.prepare('UPDATE commands SET record = substr(record, 1, 40) WHERE id = ?').run(cut);
  database.prepare("UPDATE commands SET record = '{}' WHERE id = ?").run(other);
  database.close();

  const { store, close } = await open();
  onTestFinished(async () => {
    await close();
    await rm(folder, { recursive: true });
  });
  const [taken, unreadable]: string[][] = [[], []];
  await store.eachUnfinished(
    async ({ id }) => Boolean(taken?.push(id)),
    (id) => void unreadable?.push(id),
  );
  const rest = ids.filter((id) => id !== cut && id !== other);
  expect([taken, unreadable]).toEqual([rest, [cut, other]]);
  expect((await store.unfinished()).map(({ id }) => id)).toEqual(rest);
});
