import { createClient, type Send } from '@signalbox/api';
import type { Clock, Event } from '@signalbox/core';
import type { BenchRuntime, BenchWorld } from '../bench-world.ts';
import { startBenchPerson } from '../drive/bench-person.ts';
import { createFleetClient } from '../drive/fleet-client.ts';
import { sendTo } from '../drive/http-client.ts';
import { operatorToken } from '../drive/operator-token.ts';
import { followEvents } from '../monitor/follow-events.ts';
import { startMonitor } from '../monitor/start-monitor.ts';
import { type Fleet, openFleet } from '../nodes/open-fleet.ts';
import { writeNodeFile } from '../nodes/run-node.ts';
import type { BenchOptions } from '../plan/bench-options.ts';
import type { RunFolder } from '../runtime/create-run-folder.ts';
import { findLeftovers } from '../runtime/find-leftovers.ts';
import { openBenchRuntime } from '../runtime/open-bench-runtime.ts';
import type { LedResult, LedRunOptions } from './led-result.ts';

/** Interval between two tries to reach a coordinator that was killed. */
const AGAIN_AFTER_MS = 100;

/**
 * The workspace's one coordinator is another process, which is killed and started again: without Redis a workspace has
 * no second one. Agents, the person and the monitor call it over HTTP. This process opens the workspace before the
 * run, for a token, and after it, to look for what is left.
 */
export async function leadElsewhere(
  options: BenchOptions,
  { path, workspace, evidenceFile }: RunFolder,
  { world, evidence, plan, observe, drive }: LedRunOptions,
): Promise<LedResult> {
  const { clock, random, env, nodeArgv } = world;
  const open = () => openBenchRuntime(options, { workspace, evidence, redis: null, world });
  const token = await tokenOf(await open(), world);
  const file = writeNodeFile(path, { options, redis: null, workspace, evidenceFile });
  const { killRate, seed, durationMs: killsForMs } = options;
  const argv = nodeArgv(file);
  const fleet = await openFleet({ count: 1, killRate, killsForMs, seed, argv, cwd: path, env, clock });
  const url = () => anyUrl(fleet);
  const send = sendingAgain({ url, token, clock });
  const api = createClient(send);
  const events = subscribeTo({ url, token, clock });
  if (observe !== undefined) events.subscribe(observe);
  const dismiss = startBenchPerson({
    plan,
    events,
    approvals: {
      pending: async () => (await api.listApprovals()).approvals.map(({ command }) => command),
      answer: (id, { kind }, { expect: callHash }) =>
        kind === 'approve' ? api.grantApproval({ id, callHash }) : api.refuseApproval({ id, callHash }),
    },
    setMode: (mode, { reason }) => api.setMode({ mode, reason }),
    clock,
    logger: world.log,
  });
  const monitor = options.monitored ? await startMonitor({ url, send, token, clock }) : null;
  let monitored: LedResult['monitored'] = null;
  try {
    const list = async ({ provider, limit }: Parameters<typeof api.listCommands>[0] & object) =>
      (await api.listCommands({ provider, limit })).commands;
    await drive(createFleetClient({ fleet, store: { list }, token, clock, random }));
    monitored = (await monitor?.finish()) ?? null;
  } finally {
    dismiss();
    await monitor?.stop();
    await events.stop();
    await fleet.close();
  }
  const last = await open();
  try {
    const leftovers = await findLeftovers(last.coordinator, { clock, random, isKilled: true });
    return { leftovers, monitored, killed: fleet.killed() };
  } finally {
    await last.close();
  }
}

async function tokenOf(runtime: BenchRuntime, world: BenchWorld): Promise<string> {
  try {
    return await operatorToken(runtime, world);
  } finally {
    await runtime.close();
  }
}

async function anyUrl(fleet: Fleet): Promise<string> {
  await fleet.anyNode();
  return fleet.urls()[0] ?? anyUrl(fleet);
}

type Server = Readonly<{ url: () => Promise<string>; token: string; clock: Clock }>;

/** Sends each request until it is answered: all of them may arrive twice. */
function sendingAgain({ url, token, clock }: Server): Send {
  return async (request) => {
    for (;;) {
      try {
        return await sendTo({ url: await url(), token })(request);
      } catch (error) {
        if (request.signal?.aborted === true) throw error;
        await new Promise<void>((resolve) => clock.timer(AGAIN_AFTER_MS, resolve));
      }
    }
  };
}

function subscribeTo(server: Server) {
  const stopping = new AbortController();
  const listeners = new Set<(event: Event) => void>();
  const following = (async () => {
    for await (const update of followEvents({ ...server, after: '0-0', signal: stopping.signal }))
      if (update.kind === 'event') for (const listen of listeners) listen(update.event);
  })();
  return {
    subscribe(listen: (event: Event) => void): () => void {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
    async stop(): Promise<void> {
      stopping.abort();
      await following;
    },
  };
}
