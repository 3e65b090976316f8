import type { RuntimeEntry } from '../runtime/contract/runtime.ts';

/** The real doors. `compose.ts` loads every room of the coordinator, so only a subcommand that enters one pays for it. */
export const entry: RuntimeEntry = {
  openRuntime: async (options) => (await import('../runtime/compose.ts')).openRuntime(options),
  openRecords: async (options) => (await import('../runtime/backend/open-records.ts')).openRecords(options),
  startCoordinator: async (options) =>
    (await import('../client/spawn-coordinator.ts')).spawnCoordinator(options),
};
