import type { ServedDoor, Runtime } from '../../../runtime/contract/runtime.ts';
import { serverRules } from '../../serve/server-rules.ts';
import type { BenchWorld } from '../bench-world.ts';

/** Opens the HTTP door of a bench coordinator on any free port of this machine. */
export function openBenchServer(
  runtime: Runtime,
  { workspace, world }: Readonly<{ workspace: string; world: BenchWorld }>,
): Promise<ServedDoor> {
  const { env, clock, random, user, signal } = world;
  return runtime.openServer({
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    tls: null,
    allowPlainHttp: false,
    user,
    signal,
    idleExitMs: null,
    onStop: () => undefined,
    rulesOf: ({ coordinator, adopt }) =>
      serverRules({ directory: workspace, env, clock, random, user }, coordinator, adopt),
    loadSettings: () => Promise.resolve(runtime.settings),
  });
}
