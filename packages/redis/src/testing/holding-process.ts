import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { createMemoryLogger } from '@signalbox/core/testing';
import { createRedisBackend } from '../backend.ts';
import { entryFor } from './queue-drivers.ts';
import { createRealClock } from './real-clock.ts';

/** Printed once at its start, and after each input line. */
export type HoldingProcess = {
  readonly isCurrent: boolean;
  readonly renewal: string;
  readonly lost: boolean;
};

/** Holds a file until it is killed, and reports for every line it reads whether it still does. */
export async function hold(options: { url: string; file: string; leaseTtlMs: number }): Promise<void> {
  const clock = createRealClock();
  const { scheduler } = await createRedisBackend({
    url: options.url,
    workspace: 'shop',
    clock,
    random: (length) => randomBytes(length),
    limits: {
      maxConcurrent: 4,
      maxQueuePerProvider: 10,
      maxWaitMs: 60_000,
      leaseTtlMs: options.leaseTtlMs,
    },
    logger: createMemoryLogger(),
    volatile: true,
  });
  let lost = false;
  scheduler.listen({
    granted: () => undefined,
    stale: () => undefined,
    lost() {
      lost = true;
    },
  });
  const answer = await scheduler.enqueue(entryFor(options.file));
  if (answer.kind !== 'granted') throw new Error(answer.kind);
  const { lease } = answer;
  const say = async (): Promise<void> => {
    const isCurrent = await scheduler.isCurrent(lease);
    const renewal = await scheduler.renew(lease.leaseId).then(
      () => 'renewed',
      (error: unknown) => (error instanceof Error ? error.name : 'unknown'),
    );
    process.stdout.write(`${JSON.stringify({ isCurrent, renewal, lost } satisfies HoldingProcess)}\n`);
  };
  await say();
  createInterface({ input: process.stdin }).on('line', () => void say());
}
