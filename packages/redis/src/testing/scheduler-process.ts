import { randomBytes } from 'node:crypto';
import type { CommandId, Lease, SchedulerLimits } from '@signalbox/core';
import { createMemoryLogger } from '@signalbox/core/testing';
import { onTestFinished } from 'vitest';
import { openConnection } from '../connection/connection.ts';
import { createScheduler } from '../scheduler/scheduler.ts';
import { createRealClock } from './real-clock.ts';

export type ProcessOptions = {
  readonly workspace: string;
  readonly url: string;
  readonly limits: SchedulerLimits;
  readonly chunk?: number;
  readonly commandTimeoutMs?: number;
};

/** Starts one simulated process: its own connection and scheduler. */
export async function startSchedulerProcess(options: ProcessOptions) {
  const { url, limits, chunk, commandTimeoutMs, workspace } = options;
  const logger = createMemoryLogger();
  const timeout = commandTimeoutMs === undefined ? {} : { commandTimeoutMs };
  const connection = await openConnection({ url, workspace, clock: createRealClock(), logger, ...timeout });
  const scheduler = createScheduler({
    connection,
    limits,
    logger,
    clock: createRealClock(),
    random: (length) => randomBytes(length),
    ...(chunk === undefined ? {} : { chunk }),
  });
  const granted: CommandId[] = [];
  const lost: CommandId[] = [];
  const note = (list: CommandId[]) => (lease: Lease) => void list.push(lease.commandId);
  const close = (): void => {
    scheduler.close();
    connection.close();
  };
  onTestFinished(close);
  await scheduler.open();
  await scheduler.tick();
  const listener = { granted: note(granted), lost: note(lost), stale: () => undefined };
  scheduler.listen(listener);
  return {
    scheduler,
    connection,
    granted,
    lost,
    close,
    async release(answer: Awaited<ReturnType<typeof scheduler.enqueue>>) {
      if (answer.kind !== 'granted') throw new Error('not granted');
      await scheduler.release(answer.lease.leaseId);
    },
  };
}
