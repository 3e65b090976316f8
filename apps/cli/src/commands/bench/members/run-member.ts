import { openEvidence } from '../evidence/evidence-log.ts';
import { openBenchServer } from '../drive/open-bench-server.ts';
import { openBenchRuntime } from '../runtime/open-bench-runtime.ts';
import type { BenchWorld } from '../bench-world.ts';
import { readOrder } from './member-order.ts';

/**
 * Coordinates for a bench until `stopped`: one of several processes on one Redis, of which any may be killed.
 *
 * @param onOpen Hears where its server listens.
 */
export async function runMember(
  file: string,
  world: BenchWorld,
  { onOpen, stopped }: Readonly<{ onOpen: (url: string) => void; stopped: Promise<unknown> }>,
): Promise<void> {
  const order = await readOrder(file);
  const evidence = openEvidence(order.log);
  const runtime = await openBenchRuntime(order.options, { ...order, evidence, world });
  const { url } = await openBenchServer(runtime, { workspace: order.workspace, world });
  onOpen(url);
  await stopped;
  await runtime.close();
  evidence.close();
}
