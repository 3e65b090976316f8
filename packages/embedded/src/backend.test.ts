import { mkdtemp, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '@signalbox/core';
import {
  commandStoreContract,
  countersContract,
  createManualClock,
  createMemoryLogger,
  createSeededRandom,
  eventLogContract,
  factsContract,
  runStoreContract,
  schedulerContract,
  unreadableContract,
} from '@signalbox/core/testing';
import { createEmbeddedBackend, type EmbeddedBackendOptions } from './backend.ts';

const NAME = 'the embedded backend';
const LIMITS = { maxConcurrent: 3, maxQueuePerProvider: 10, maxWaitMs: 600_000, leaseTtlMs: 30_000 };

async function start(options: Partial<EmbeddedBackendOptions> & { readonly clock?: Clock } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-embedded-'));
  const backend = await createEmbeddedBackend({
    folder,
    clock: createManualClock(),
    random: createSeededRandom(),
    limits: LIMITS,
    logger: createMemoryLogger(),
    ...options,
  });
  return {
    ...backend,
    folder,
    async close() {
      await backend.close();
      await rm(folder, { recursive: true });
    },
  };
}

schedulerContract(
  NAME,
  async (wishes) => {
    const clock = createManualClock();
    const limits = { ...LIMITS, ...wishes };
    const backend = await start({ clock, limits });
    return {
      ...backend,
      limits,
      advance: (ms) => clock.advance(ms),
      settle: () => clock.advance(0),
    };
  },
  { propertyRuns: 10 },
);

commandStoreContract(NAME, () => start());

unreadableContract(NAME, async () => {
  const backend = await start();
  return {
    ...backend,
    async damage(id, text) {
      const database = new DatabaseSync(join(backend.folder, 'state.db'));
      database.prepare('UPDATE commands SET record = ? WHERE id = ?').run(text, id);
      database.close();
    },
  };
});

eventLogContract(NAME, async () => ({
  ...(await start({ keepEvents: 1100 })),
  keep: 1100,
  overfull: 1200,
  settle: () => Promise.resolve(),
}));

countersContract(NAME, async () => {
  const clock = createManualClock();
  return { ...(await start({ clock })), windowMs: 3_600_000, advance: (ms) => clock.advance(ms) };
});

factsContract(NAME, () => start());

runStoreContract(NAME, () => start());
