import { UnavailableError } from '@signalbox/core';
import { createTokenBook } from '@signalbox/server/access';
import type { House } from '../../house.ts';
import { findLocalAccess } from '../../serve/local-access.ts';
import type { DoorName } from '../plan/bench-options.ts';
import type { BenchWorld } from '../run-once.ts';
import type { Door } from './door.ts';
import { httpDoor } from './http-door.ts';
import { inProcessDoor } from './in-process-door.ts';
import { openBenchServer } from './open-bench-server.ts';

/** Opens the way in that the agents take. */
export async function openDoor(
  name: DoorName,
  house: House,
  { workspace, world }: Readonly<{ workspace: string; world: BenchWorld }>,
): Promise<Door> {
  const { random, clock } = world;
  if (name === 'in-process') return inProcessDoor(house.coordinator, random);
  const { url } = await openBenchServer(house, { workspace, world });
  if (name === 'mcp') {
    const { mcpDoor } = await import('./mcp-door.ts');
    return mcpDoor({ url, tokens: createTokenBook({ facts: house.facts, clock, random }) });
  }
  const access = findLocalAccess(workspace);
  if (access !== null) return httpDoor({ url, token: access.token, random });
  throw new UnavailableError('no-server', 'Cannot call over HTTP: the server has left no token');
}
