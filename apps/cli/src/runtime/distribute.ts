import { randomBytes } from 'node:crypto';
import type { Clock, Executor, Logger, SchedulerLimits } from '@signalbox/core';
import {
  createDispatchChannel,
  createReaper,
  createRemoteExecutor,
  createRunQueues,
  type Reaper,
  type RedisBackend,
} from '@signalbox/redis';
import type { Distribution } from './contract/backend.ts';
import { setupOf } from './worker-setup.ts';
import type { RedisAddress } from './workspace/redis-address.ts';
import { createPresenceProbe } from './presence-probe.ts';

export type DistributedExecutor = Readonly<{ executor: Executor; reaper: Reaper; close(): Promise<void> }>;

/** An executor that hands programs to workers, or runs them here if there are no workers and that is allowed. */
export async function distribute(
  local: Executor,
  options: Distribution &
    Readonly<{
      /** The workspace's `.signalbox`. */
      folder: string;
      host: string;
      address: RedisAddress;
      backend: RedisBackend;
      members: NonNullable<RedisBackend['members']>;
      workersOnly: boolean;
      limits: SchedulerLimits;
      takeBackFiles: () => Promise<void>;
      clock: Clock;
      logger: Logger;
    }>,
): Promise<DistributedExecutor> {
  const { address, backend, members, workersOnly, limits, queueTraces, logger } = options;
  const { connection, facts } = backend;
  const channel = createDispatchChannel({ connection, self: members.self, logger });
  const queues = createRunQueues({ url: address.url, prefix: connection.prefix, queueTraces, logger });
  const presenceProbe = createPresenceProbe({ ...options, isolation: () => local.isolation() });
  const reaper = createReaper({ ...options, connection, presenceProbe });
  const remote = createRemoteExecutor({
    ...options,
    connection,
    presenceProbe,
    queues,
    channel,
    facts,
    leaseTtlMs: limits.leaseTtlMs,
    setup: () => setupOf(options.settings()),
    random: randomBytes,
  });
  await channel.open(remote.receive);
  const executor: Executor = {
    isolation: () => (workersOnly ? remote.isolation() : local.isolation()),
    async execute(request, hooks) {
      const labels = hooks.labels ?? [];
      const isRemote = workersOnly || labels.length > 0 || (await remote.hasWorker([]));
      if (isRemote) hooks.onRemote?.();
      return (isRemote ? remote : local).execute(request, hooks);
    },
  };
  return {
    executor,
    reaper,
    async close() {
      reaper.stop();
      await queues.close();
    },
  };
}
