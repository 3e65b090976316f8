import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchRuntime, BenchWorld } from '@signalbox/bench';
import { ANY_PORT } from '../../client/open-port.ts';
import { auditFilesOf } from '../../runtime/audit-files.ts';
import type { Context } from '../../runtime/contract/context.ts';
import type { Runtime } from '../../runtime/contract/runtime.ts';
import { VERSION } from '../../runtime/contract/version.ts';
import { REDIS_URL } from '../../runtime/workspace/redis-address.ts';
import { serverRules } from '../serve/server-rules.ts';

type ProgramContext = Pick<Context, 'clock' | 'entry' | 'env' | 'log' | 'random' | 'user'>;

/** Parts of this program that a bench needs. */
export function benchWorldOf(
  context: ProgramContext,
  { signal, redis }: Pick<BenchWorld, 'signal' | 'redis'>,
): BenchWorld {
  const { clock, entry, env, log, random, user } = context;
  return {
    async openRuntime({ redis: address, ...options }) {
      const runtime = await entry.openRuntime({
        ...options,
        unconfined: false,
        user,
        subcommand: 'bench',
        // The Redis of a real workspace must not be load-tested by accident.
        apiKeys: { ...env, [REDIS_URL]: undefined },
        log,
        clock,
        ...(address === null ? {} : { redis: address }),
      });
      const openServer = () => openBenchServer(runtime, { ...context, directory: options.workspace, signal });
      return { ...runtime, openServer };
    },
    auditFilesOf,
    async removeKeys(workspace, address) {
      const { withKeys } = await import('../serve/find-kept.ts');
      await withKeys({ folder: join(workspace, '.signalbox'), address, clock }, (keys) => keys.remove());
    },
    nodeArgv: (file) => [process.execPath, process.argv[1] ?? '', 'bench', '--member', file, '--json'],
    version: VERSION,
    parent: tmpdir(),
    env,
    clock,
    random,
    log,
    signal,
    redis,
  };
}

async function openBenchServer(
  runtime: Runtime,
  { signal, ...context }: ProgramContext & Readonly<{ directory: string; signal: AbortSignal }>,
): ReturnType<BenchRuntime['openServer']> {
  const api = await runtime.openApi({
    user: context.user,
    signal,
    idleExitMs: null,
    onStop: () => undefined,
    rulesOf: ({ coordinator, applyPolicy }) => serverRules(context, coordinator, applyPolicy),
    loadSettings: () => Promise.resolve(runtime.settings),
  });
  return api.listen(ANY_PORT, 'none');
}
