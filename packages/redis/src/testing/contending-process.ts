import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { CommandId, type Lease, pathResource, ProviderId, readClaim, writeClaim } from '@signalbox/core';
import { createMemoryLogger, createSeededRandom } from '@signalbox/core/testing';
import { createRedisBackend } from '../backend.ts';
import { createRealClock } from './real-clock.ts';

/** Options of one contending process. */
export type ContentionOptions = {
  readonly url: string;
  readonly workspace: string;
  /** Each line of it is one {@link ProcessLogLine}. */
  readonly logFile: string;
  /** Two letters that start the ids of its commands. */
  readonly name: string;
  readonly commands: number;
  readonly leaseTtlMs: number;
};

/** Written by each command: appended at once, so that all processes share one order. */
export type ProcessLogLine = {
  readonly what: 'start' | 'end' | 'lost';
  readonly by: string;
  readonly commandId: CommandId;
  readonly claims: Lease['claims'];
};

const FILES = ['a', 'b', 'src/c', 'src/d'];
const MAX_RUN_MS = 6;

/** Lets many commands contend for a few files, and prints `done` when all of its own are over. */
export async function contend({
  url,
  workspace,
  logFile,
  name,
  commands,
  leaseTtlMs,
}: ContentionOptions): Promise<void> {
  const logger = createMemoryLogger();
  const clock = createRealClock();
  const { scheduler, close } = await createRedisBackend({
    url,
    workspace,
    clock,
    logger,
    random: (length) => randomBytes(length),
    limits: { maxConcurrent: 4, maxQueuePerProvider: 1000, maxWaitMs: 60_000, leaseTtlMs },
    volatile: true,
  });
  const random = createSeededRandom(name.charCodeAt(1));
  const below = (bound: number): number => (random(1)[0] ?? 0) % bound;
  let left = commands;

  const log = (what: ProcessLogLine['what'], { commandId, claims }: Lease): void =>
    appendFileSync(
      logFile,
      `${JSON.stringify({ what, by: name, commandId, claims } satisfies ProcessLogLine)}\n`,
    );

  const run = (lease: Lease): void => {
    log('start', lease);
    clock.timer(below(MAX_RUN_MS), () => {
      log('end', lease);
      void scheduler.release(lease.leaseId).then(finish);
    });
  };

  const finish = async (): Promise<void> => {
    left -= 1;
    if (left === 0) process.stdout.write('done\n');
  };

  scheduler.listen({
    granted: run,
    stale: () => undefined,
    lost(lease) {
      log('lost', lease);
      void scheduler.release(lease.leaseId);
    },
  });

  for (let n = 0; n < commands; n++) {
    const claims = Array.from({ length: 1 + below(2) }, () => {
      const resource = pathResource(FILES[below(FILES.length)] ?? 'a');
      return below(3) === 0 ? readClaim(resource) : writeClaim(resource);
    });
    const commandId = CommandId.parse(`cmd_${`${name}${n}`.padEnd(12, 'x')}`);
    const answer = await scheduler.enqueue({
      commandId,
      claims,
      provider: ProviderId.parse('anthropic'),
      priority: below(3),
    });
    if (answer.kind === 'granted') run(answer.lease);
  }
  process.once('SIGTERM', () => void close());
}
