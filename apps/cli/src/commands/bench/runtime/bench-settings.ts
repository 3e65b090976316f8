import { InvariantError, parseSettings, type Settings } from '@signalbox/core';
import type { BenchOptions } from '../plan/bench-options.ts';
import { BENCH_TOOLS } from './bench-tools.ts';

/** Longer than any command of a bench may wait. */
export const MAX_WAIT_MS = 600_000;

/** Settings under which only those commands ask that are planned to, and nothing is refused for being many. */
export function benchSettings({ places, commands }: Pick<BenchOptions, 'places' | 'commands'>): Settings {
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
    // A line for each of a million commands says nothing.
    monitoring: { log_all_commands: commands === null || commands <= 100_000 },
  });
  if (parsed.kind === 'ok') return parsed.settings;
  throw new InvariantError(
    `Cannot set up the bench: ${parsed.problems.map(({ message }) => message).join('; ')}`,
  );
}
