import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CommandId, createSystemClock } from '@signalbox/core';
import {
  aCommandRecord,
  aSubmittedEvent,
  createManualClock,
  createMemoryLogger,
  createSeededRandom,
} from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createEmbeddedBackend } from './backend.ts';

/**
 * When the process is killed in each round: a number of acknowledged commits, then a number of milliseconds. Without
 * the delay, every kill would hit the same point: writing the acknowledgement line.
 */
const ROUNDS = [
  { commits: 1, laterMs: 0 },
  { commits: 60, laterMs: 1.3 },
  { commits: 200, laterMs: 2.7 },
  { commits: 500, laterMs: 4.1 },
];

/** Large, so that the kill often hits the middle of a commit. */
const EVENTS_EACH = 25;

test('a process killed while it commits loses nothing acknowledged and leaves no partial commit', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-crash-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const acknowledged = new Map<CommandId, number>();
  for (const round of ROUNDS.keys())
    for (const [id, revision] of await killIn(round, folder)) acknowledged.set(id, revision);

  const backend = await createEmbeddedBackend({
    folder,
    clock: createManualClock(),
    random: createSeededRandom(),
    limits: { maxConcurrent: 3, maxQueuePerProvider: 10, maxWaitMs: 600_000, leaseTtlMs: 30_000 },
    logger: createMemoryLogger(),
  });
  onTestFinished(() => backend.close());
  const records = await backend.store.list({ limit: 1_000_000 });
  const stored = new Map(records.map(({ id, revision }) => [id, revision]));
  for (const [id, revision] of acknowledged) expect(stored.get(id)).toBeGreaterThanOrEqual(revision);

  const replay = await backend.events.since(null, 1_000_000);
  const eventsOf = new Map<CommandId, number>();
  for (const event of replay.kind === 'events' ? replay.events : [])
    if (event.type === 'command_submitted')
      eventsOf.set(event.commandId, (eventsOf.get(event.commandId) ?? 0) + 1);
  const expected = new Map(records.map(({ id, revision }) => [id, revision * EVENTS_EACH]));
  expect(eventsOf).toEqual(expected);
});

/** Starts a process that commits three revisions of one command in sequence, each with its own events. */
async function killIn(round: number, folder: string): Promise<readonly (readonly [CommandId, number])[]> {
  const { commits, laterMs } = ROUNDS[round] ?? { commits: 1, laterMs: 0 };
  const program = `
    import { createEmbeddedBackend } from ${JSON.stringify(new URL('backend.ts', import.meta.url).href)};
    const silent = () => undefined;
    const { store } = await createEmbeddedBackend({
      folder: ${JSON.stringify(folder)},
      clock: { now: Date.now, monotonic: () => performance.now(), timer: () => silent },
      random: (length) => new Uint8Array(length),
      limits: { maxConcurrent: 3, maxQueuePerProvider: 10, maxWaitMs: 600_000, leaseTtlMs: 30_000 },
      logger: { debug: silent, info: silent, warn: silent, error: silent },
    });
    for (let n = 0; ; n++) {
      for (let revision = 1; revision <= 3; revision++) {
        const id = 'cmd_' + ('r${round}n' + n).padEnd(12, 'x');
        const record = { ...${JSON.stringify(aCommandRecord())}, id, revision };
        const event = { ...${JSON.stringify(aSubmittedEvent())}, commandId: id };
        await store.commit(record, Array.from({ length: ${EVENTS_EACH} }, () => event));
        if (!process.stdout.write(id + ' ' + revision + '\\n'))
          await new Promise((resolve) => process.stdout.once('drain', resolve));
      }
    }
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  const clock = createSystemClock();
  const acknowledged: (readonly [CommandId, number])[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [id, revision] = line.split(' ');
    // The last line may be truncated.
    const parsed = CommandId.safeParse(id);
    if (parsed.success && /^[123]$/.test(revision ?? '')) acknowledged.push([parsed.data, Number(revision)]);
    if (acknowledged.length === commits) clock.timer(laterMs, () => child.kill('SIGKILL'));
  }
  expect(await gone).toEqual([null, 'SIGKILL']);
  expect(acknowledged.length).toBeGreaterThanOrEqual(commits);
  return acknowledged;
}
