import { UsageError } from '@signalbox/core';
import { createTokenBook, type TokenBook } from '@signalbox/server/access';
import type { Runtime } from '../../../runtime/contract/runtime.ts';
import type { BenchGround } from '../runtime/set-up-bench.ts';
import { leaveOrder } from '../members/member-order.ts';
import { openFleet } from '../members/open-fleet.ts';
import type { BenchOptions } from '../plan/bench-options.ts';
import type { BenchWorld } from '../bench-world.ts';
import type { Door } from './door.ts';
import { fleetDoor } from './fleet-door.ts';
import { httpDoor } from './http-door.ts';
import { inProcessDoor } from './in-process-door.ts';
import { openBenchServer } from './open-bench-server.ts';

/** Opens the way in that the agents take. */
export async function openDoor(
  options: BenchOptions,
  runtime: Runtime,
  { ground, world }: Readonly<{ ground: BenchGround; world: BenchWorld }>,
): Promise<Door> {
  const { random, clock } = world;
  const { workspace } = ground;
  const tokens = createTokenBook({ facts: runtime.facts, clock, random });
  if (options.workers > 1) return openFleetDoor(options, runtime, { ground, world, tokens });
  if (options.door === 'in-process') return inProcessDoor(runtime.coordinator, random);
  const { url } = await openBenchServer(runtime, { workspace, world });
  if (options.door === 'mcp') {
    const { mcpDoor } = await import('./mcp-door.ts');
    return mcpDoor({ url, tokens });
  }
  return httpDoor({ url, token: await operatorToken(tokens), random });
}

/** Several processes lead the workspace; ours only looks on, and takes over what nobody else does. */
async function openFleetDoor(
  options: BenchOptions,
  runtime: Runtime,
  of: Readonly<{ ground: BenchGround; world: BenchWorld; tokens: TokenBook }>,
): Promise<Door> {
  const { ground, world, tokens } = of;
  const { random, clock, redis, self, env } = world;
  if (redis === null)
    throw new UsageError('usage', 'Cannot start several processes without Redis', {
      next: ['--redis URL'],
    });
  const { workspace, log, folder } = ground;
  const order = leaveOrder(folder, { options, redis, workspace, log });
  const fleet = await openFleet({
    count: options.workers,
    killRate: options.killRate,
    seed: options.seed,
    argv: [...self, 'bench', '--member', order, '--json'],
    cwd: folder,
    env: Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    clock,
  });
  const door = fleetDoor({ fleet, store: runtime.store, token: await operatorToken(tokens), clock, random });
  return { ...door, close: fleet.close, killed: fleet.killed };
}

async function operatorToken(tokens: TokenBook): Promise<string> {
  const { token } = await tokens.create({
    kind: 'made',
    name: 'bench',
    role: 'operator',
    provider: null,
    lifetimeMs: null,
  });
  return token;
}
