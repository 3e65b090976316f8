import { InvariantError, parseSettings, type Settings } from '@signalbox/core';
import type { BenchRuntime, BenchWorld, BenchRedisAddress } from '../bench-world.ts';
import type { EvidenceLog } from '../evidence/evidence-log.ts';
import type { BenchOptions } from '../plan/bench-options.ts';
import { BENCH_TOOLS, benchTools } from './bench-tools.ts';

/** The coordinator's limit on a command's wait. */
export const MAX_WAIT_MS = 600_000;
/** With the usual time to live, a run with kills would mostly wait for leases to expire. */
const LEASE_TTL_UNDER_KILLS_MS = 3000;

/** A real coordinator on a bench workspace, with the bench tools in addition to its own. */
export function openBenchRuntime(
  options: BenchOptions,
  of: Readonly<{
    workspace: string;
    evidence: EvidenceLog;
    redis: BenchRedisAddress | null;
    world: Pick<BenchWorld, 'openRuntime'>;
  }>,
): Promise<BenchRuntime> {
  const { workspace, evidence, redis, world } = of;
  return world.openRuntime({
    workspace,
    settings: benchSettings(options),
    tools: benchTools({ evidence, workspace, bare: options.bare }),
    redis,
    ...(options.killRate > 0 ? { limits: { leaseTtlMs: LEASE_TTL_UNDER_KILLS_MS } } : {}),
  });
}

/** Settings under which only commands planned for an approval need one, and no count limit applies. */
function benchSettings({ places, commands }: BenchOptions): Settings {
  const parsed = parseSettings({
    execution: {
      max_concurrent_executions: places,
      max_queue_size: 100_000,
      execution_history_limit: 1000,
      max_wait: `${MAX_WAIT_MS / 1000}s`,
    },
    approval: { approval_mode: 'auto', prompt_on_warning: false },
    agents: {
      tool_execution: {
        auto_approve_tools: [BENCH_TOOLS.read, BENCH_TOOLS.write, 'bash'],
        require_approval_tools: [BENCH_TOOLS.asked],
      },
    },
    tools: { repeated_calls: { point_out: null, refuse: null } },
    // With a million commands nobody reads a line for each.
    monitoring: { log_all_commands: commands === null || commands <= 100_000 },
  });
  if (parsed.kind === 'ok') return parsed.settings;
  throw new InvariantError(
    `Cannot set up the bench: ${parsed.problems.map(({ message }) => message).join('; ')}`,
  );
}
