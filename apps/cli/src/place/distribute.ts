import { randomBytes } from 'node:crypto';
import type { Clock, Executor, Logger, SchedulerLimits } from '@signalbox/core';
import { createPost, createRemoteExecutor, createRunQueues, type RedisBackend } from '@signalbox/redis';
import type { Distribution } from './place.ts';
import { setupOf } from './worker-setup.ts';
import type { RedisAddress } from './redis-address.ts';

/** The fact that is set once a worker has ever worked here. */
export const WORKERS_SEEN = 'workers-seen';

/** An executor that hands programs to workers, and runs them here where there are none and it may. */
export async function distribute(
  local: Executor,
  options: Distribution &
    Readonly<{
      address: RedisAddress;
      backend: RedisBackend;
      members: NonNullable<RedisBackend['members']>;
      workersOnly: boolean;
      limits: SchedulerLimits;
      takeBackFiles: () => Promise<void>;
      clock: Clock;
      logger: Logger;
    }>,
): Promise<Readonly<{ executor: Executor; close: () => Promise<void> }>> {
  const { address, backend, members, workersOnly, limits, queueTraces, logger } = options;
  const { connection, facts } = backend;
  const post = createPost({ connection, self: members.self, logger });
  const queues = createRunQueues({ url: address.url, prefix: connection.prefix, queueTraces, logger });
  const remote = createRemoteExecutor({
    ...options,
    connection,
    queues,
    post,
    facts,
    leaseTtlMs: limits.leaseTtlMs,
    setup: () => setupOf(options.settings()),
    random: randomBytes,
  });
  await post.open(remote.hear);
  const executor: Executor = {
    isolation: () => (workersOnly ? remote.isolation() : local.isolation()),
    async execute(request, hooks) {
      const labels = hooks.labels ?? [];
      const isRemote = workersOnly || labels.length > 0 || (await remote.hasWorker([]));
      return (isRemote ? remote : local).execute(request, hooks);
    },
  };
  return { executor, close: queues.close };
}
