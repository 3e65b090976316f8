import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { sendSignal, startProcess, type StartedProcess } from '@signalbox/sandbox';
import type { Clock } from '@signalbox/core';
import { createRandom } from '../plan/random.ts';
import { NodeStarted } from './run-node.ts';

/** The processes that coordinate a run. */
export type Fleet = Readonly<{
  /** URLs of the processes that can be called now. */
  urls(): readonly string[];
  /** Resolves when one of them listens, or at once. */
  anyNode(): Promise<void>;
  /** Number of processes killed. */
  killed(): number;
  /** Stops killing, and ends all processes by SIGTERM. */
  close(): Promise<void>;
}>;

type NodeRecord = { readonly process: StartedProcess; url: string | null };

/**
 * Starts `count` processes, kills one of them `killRate` times a second by SIGKILL, and starts another in its place.
 */
export async function openFleet(options: {
  readonly count: number;
  /** Kills per second. */
  readonly killRate: number;
  /** None is killed later: the last commands end undisturbed. Null: kills until the fleet is closed. */
  readonly killsForMs: number | null;
  readonly seed: number;
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}): Promise<Fleet> {
  const { count, killRate, killsForMs, seed, argv, cwd, clock } = options;
  const env = Object.fromEntries(
    Object.entries(options.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const members = new Set<NodeRecord>();
  let waiting: (() => void)[] = [];
  let killed = 0;
  let isClosing = false;
  let startedAt = clock.monotonic();
  let cancelKill = (): void => undefined;

  function add(): void {
    const process = startProcess({ argv, cwd, env, descriptors: ['pipe', 'pipe', 'ignore'] });
    const member: NodeRecord = { process, url: null };
    members.add(member);
    void listen(member);
    void replace(member);
  }

  async function replace(member: NodeRecord): Promise<void> {
    await member.process.ended;
    members.delete(member);
    if (!isClosing) add();
  }

  async function listen(member: NodeRecord): Promise<void> {
    for await (const line of createInterface(member.process.streams[1] as Readable)) {
      const started = NodeStarted.safeParse(JSON.parse(line));
      if (!started.success) continue;
      member.url = started.data.url;
      for (const resolve of waiting) resolve();
      waiting = [];
    }
  }

  function killOne(): void {
    if (killsForMs !== null && clock.monotonic() - startedAt > killsForMs) return;
    const ready = [...members].filter(({ url }) => url !== null);
    const victim = ready[createRandom(seed, killed).below(ready.length)];
    if (victim?.process.pid !== undefined) {
      victim.url = null;
      killed += 1;
      sendSignal(victim.process.pid, 'SIGKILL');
    }
    cancelKill = clock.timer(1000 / killRate, killOne);
  }

  const urls = (): readonly string[] => [...members].flatMap(({ url }) => (url === null ? [] : [url]));
  const anyNode = (): Promise<void> =>
    urls().length > 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve));

  for (let n = 0; n < count; n++) add();
  await anyNode();
  startedAt = clock.monotonic();
  if (killRate > 0) cancelKill = clock.timer(1000 / killRate, killOne);
  return {
    urls,
    anyNode,
    killed: () => killed,
    async close() {
      isClosing = true;
      cancelKill();
      const all = [...members];
      for (const { process } of all) if (process.pid !== undefined) sendSignal(process.pid, 'SIGTERM');
      await Promise.all(all.map(({ process }) => process.ended));
    },
  };
}
