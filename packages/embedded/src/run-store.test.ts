import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { RunId } from '@signalbox/core';
import { createManualClock, createMemoryLogger, createSeededRandom } from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createEmbeddedBackend } from './backend.ts';

test('a damaged owner or part of one run keeps nobody from reading the others, and it can be taken', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-runs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { runStore, close } = await createEmbeddedBackend({
    folder,
    clock: createManualClock(),
    random: createSeededRandom(),
    limits: { maxConcurrent: 1, maxQueuePerProvider: 1, maxWaitMs: 1, leaseTtlMs: 1 },
    logger: createMemoryLogger(),
  });
  onTestFinished(close);
  const [damaged, good] = [RunId.parse('run_aaaaaaaaaaaa'), RunId.parse('run_bbbbbbbbbbbb')];
  for (const id of [damaged, good])
    await runStore.commit({ id, owner: null, kind: 'begun', parts: { run: 1 } }, []);
  const database = new DatabaseSync(join(folder, 'state.db'));
  database.prepare('UPDATE runs SET owner = ? WHERE id = ?').run('nobody', damaged);
  database.prepare("UPDATE run_parts SET value = '{' WHERE run_id = ?").run(damaged);
  database.close();
  const [first, second] = await runStore.unfinished();
  expect(first).toEqual({ id: damaged, owner: 'nobody', parts: { run: null } });
  expect(second).toEqual({ id: good, owner: null, parts: { run: 1 } });
  expect(await runStore.take(damaged, { from: first?.owner ?? null, to: null })).toBe(true);
});
