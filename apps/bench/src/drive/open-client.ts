import type { Coordinator } from '@signalbox/coordinator';
import { type RandomBytes, UsageError } from '@signalbox/core';
import { createTokenRegistry } from '@signalbox/server/access';
import type { BenchRuntime, BenchWorld } from '../bench-world.ts';
import { openFleet } from '../nodes/open-fleet.ts';
import { writeNodeFile } from '../nodes/run-node.ts';
import type { BenchOptions } from '../plan/bench-options.ts';
import type { RunFolder } from '../runtime/create-run-folder.ts';
import { answerOf, type BenchClient } from './bench-client.ts';
import { callOf, createAgents } from './call-of.ts';
import { createFleetClient } from './fleet-client.ts';
import { createHttpClient } from './http-client.ts';
import { operatorToken } from './operator-token.ts';

/** The client that the agents of a run share: the one that `--door` selects, or one for the processes of a fleet. */
export async function openClient(
  options: BenchOptions,
  runtime: BenchRuntime,
  { folder, world }: Readonly<{ folder: RunFolder; world: BenchWorld }>,
): Promise<BenchClient> {
  const { random, clock } = world;
  const { workers, killRate } = options;
  if (workers > 1 || killRate > 0) return openFleetClient(options, runtime, { folder, world });
  if (options.door === 'in-process') return createInProcessClient(runtime.coordinator, random);
  const { url } = await runtime.openServer();
  if (options.door === 'mcp') {
    const { createMcpClient } = await import('./mcp-client.ts');
    const tokens = createTokenRegistry({ facts: runtime.facts, clock, random });
    return createMcpClient({ url, tokens });
  }
  return createHttpClient({ url, token: await operatorToken(runtime, world), random });
}

/** Several processes coordinate; ours submits nothing, but takes over commands like each of them. */
async function openFleetClient(
  options: BenchOptions,
  runtime: BenchRuntime,
  { folder, world }: Readonly<{ folder: RunFolder; world: BenchWorld }>,
): Promise<BenchClient> {
  const { random, clock, redis, nodeArgv, env } = world;
  if (redis === null)
    throw new UsageError('usage', 'Cannot start several processes without Redis', {
      next: ['--redis URL'],
    });
  const { workspace, evidenceFile } = folder;
  const file = writeNodeFile(folder.path, { options, redis, workspace, evidenceFile });
  const fleet = await openFleet({
    count: options.workers,
    killRate: options.killRate,
    killsForMs: options.durationMs,
    seed: options.seed,
    argv: nodeArgv(file),
    cwd: folder.path,
    env,
    clock,
  });
  const token = await operatorToken(runtime, world);
  const client = createFleetClient({ fleet, store: runtime.store, token, clock, random });
  return { ...client, close: fleet.close, killed: fleet.killed };
}

/** Calls the coordinator as a function, as sessions in its process do. */
function createInProcessClient(
  coordinator: Pick<Coordinator, 'submit' | 'cancel'>,
  random: RandomBytes,
): BenchClient {
  const callerOf = createAgents(random);
  return {
    send(command) {
      const caller = callerOf(command.agent);
      const { commandId, resting, result } = coordinator.submit(callOf(command), caller);
      return {
        rested: resting,
        answer: result.then((ended) => answerOf(commandId, ended)),
        async cancel() {
          await coordinator.cancel(commandId, { by: caller.provider, reason: 'planned' });
        },
      };
    },
    close: () => Promise.resolve(),
  };
}
