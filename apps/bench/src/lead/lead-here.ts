import type { BenchRuntime } from '../bench-world.ts';
import { startBenchPerson } from '../drive/bench-person.ts';
import { openClient } from '../drive/open-client.ts';
import { openMonitor } from '../monitor/open-monitor.ts';
import type { BenchOptions } from '../plan/bench-options.ts';
import type { RunFolder } from '../runtime/create-run-folder.ts';
import { findLeftovers } from '../runtime/find-leftovers.ts';
import { openBenchRuntime } from '../runtime/open-bench-runtime.ts';
import type { LedResult, LedRunOptions } from './led-result.ts';

/** This process coordinates, alone or, on Redis, beside others that may be killed. */
export async function leadHere(
  options: BenchOptions,
  folder: RunFolder,
  { world, evidence, plan, observe, drive }: LedRunOptions,
): Promise<LedResult> {
  const { clock, random, redis } = world;
  const opened = await openBenchRuntime(options, { workspace: folder.workspace, evidence, redis, world });
  const runtime = withOneServer(opened);
  const unsubscribe = observe === undefined ? null : runtime.events.subscribe(observe);
  const dismiss = startBenchPerson({
    plan,
    events: runtime.events,
    approvals: runtime.coordinator.approvals,
    setMode: makesCommandsFail(options) ? runtime.coordinator.setMode : null,
    clock,
    logger: world.log,
  });
  const monitor = options.monitored ? await openMonitor(runtime, world) : null;
  let killed = 0;
  try {
    const client = await openClient(options, runtime, { folder, world });
    try {
      await drive(client);
    } finally {
      await client.close();
      killed = client.killed?.() ?? 0;
    }
    const monitored = (await monitor?.finish()) ?? null;
    const isKilled = killed > 0;
    const leftovers = await findLeftovers(runtime.coordinator, { clock, random, isKilled });
    return { leftovers, monitored, killed };
  } finally {
    dismiss();
    unsubscribe?.();
    await monitor?.stop();
    await runtime.close();
  }
}

/** Agents and screens share one port. */
function withOneServer(runtime: BenchRuntime): BenchRuntime {
  let opened: ReturnType<BenchRuntime['openServer']> | null = null;
  return { ...runtime, openServer: () => (opened ??= runtime.openServer()) };
}

function makesCommandsFail({ scenario, killRate }: BenchOptions): boolean {
  return scenario === 'chaos' || killRate > 0;
}
