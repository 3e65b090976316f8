import type { RuntimeEntry } from '../runtime/contract/runtime.ts';

/**
 * The real runtime. `compose.ts` loads every package of the coordinator, so only subcommands that need it pay for it.
 */
export const entry: RuntimeEntry = {
  openRuntime: async (options) => (await import('../runtime/compose.ts')).openRuntime(options),
  openRecords: async (options) => (await import('../runtime/open-records.ts')).openRecords(options),
  startCoordinator: async (options) =>
    (await import('../client/spawn-coordinator.ts')).spawnCoordinator(options),
};
