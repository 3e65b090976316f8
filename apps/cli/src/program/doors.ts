import type { Doors } from '../runtime/contract/house.ts';

/** The real doors. `compose.ts` loads every room of the house, so only a subcommand that enters one pays for it. */
export const doors: Doors = {
  openHouse: async (options) => (await import('../runtime/compose.ts')).openHouse(options),
  openRecords: async (options) => (await import('../runtime/backend/open-records.ts')).openRecords(options),
  startCoordinator: async (options) =>
    (await import('../client/spawn-coordinator.ts')).spawnCoordinator(options),
};
