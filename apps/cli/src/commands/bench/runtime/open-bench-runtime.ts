import type { Runtime } from '../../../runtime/contract/runtime.ts';
import { REDIS_URL, type RedisAddress } from '../../../runtime/workspace/redis-address.ts';
import type { EvidenceLog } from '../evidence/evidence-log.ts';
import type { BenchOptions } from '../plan/bench-options.ts';
import type { BenchWorld } from '../bench-world.ts';
import { benchSettings } from './bench-settings.ts';
import { benchTools } from './bench-tools.ts';

/** Where processes are killed their leases are waited for: a short life of them makes the run one of work. */
const LEASE_TTL_UNDER_KILLS_MS = 3000;

/** A real coordinator on a workspace of the bench, with the tools of the bench besides its own. */
export function openBenchRuntime(
  options: BenchOptions,
  of: Readonly<{
    workspace: string;
    evidence: EvidenceLog;
    world: BenchWorld;
    redis: RedisAddress | null;
  }>,
): Promise<Runtime> {
  const { world, workspace, evidence, redis } = of;
  return world.openRuntime({
    workspace,
    settings: benchSettings(options),
    unconfined: false,
    user: world.user,
    subcommand: 'bench',
    // The Redis of a real workspace is not one to be load-tested by accident.
    apiKeys: { ...world.env, [REDIS_URL]: undefined },
    log: world.log,
    clock: world.clock,
    tools: benchTools({ evidence, workspace, bare: options.bare }),
    ...(redis === null ? {} : { redis }),
    ...(options.killRate > 0 ? { limits: { leaseTtlMs: LEASE_TTL_UNDER_KILLS_MS } } : {}),
    ...(world.through === undefined ? {} : { through: world.through }),
  });
}
