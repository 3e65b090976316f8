import { createTokenRegistry } from '@signalbox/server/access';
import type { BenchRuntime, BenchWorld } from '../bench-world.ts';
import { sendTo } from '../drive/http-client.ts';
import { type RunMonitor, startMonitor } from './start-monitor.ts';

/** Follows a coordinator of this process over its port, as a viewer. */
export async function openMonitor(
  { facts, openServer }: Pick<BenchRuntime, 'facts' | 'openServer'>,
  { clock, random }: Pick<BenchWorld, 'clock' | 'random'>,
): Promise<RunMonitor> {
  const { url } = await openServer();
  const { token } = await createTokenRegistry({ facts, clock, random }).create({
    kind: 'made',
    name: 'screen',
    role: 'viewer',
    provider: null,
    lifetimeMs: null,
  });
  return startMonitor({ url: () => Promise.resolve(url), send: sendTo({ url, token }), token, clock });
}
