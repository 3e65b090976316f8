import {
  applyEvents,
  createClient,
  isAfter,
  type Send,
  type Snapshot,
  summaryAfter,
  type WorkspaceState,
  workspaceStateOf,
} from '@signalbox/api';
import type { Clock, Event } from '@signalbox/core';
import { microseconds } from '../evidence/evidence-log.ts';
import { followEvents } from './follow-events.ts';
import type { LastScreens, FollowedCommand, MonitorRecord, ScreenSample } from './monitor-record.ts';

/** Interval between snapshots. */
const SAMPLE_EVERY_MS = 200;
/** How long the last events may take to arrive. */
const CATCH_UP_MS = 30_000;
const LOOK_EVERY_MS = 20;

export type RunMonitor = Readonly<{
  /** Stops, once every event of the run has arrived; resolves to all that was said. */
  finish(): Promise<MonitorRecord>;
  /** Stops at once, if it has not. */
  stop(): Promise<void>;
}>;

/**
 * Follows a run as `watch` and the dashboard do: from a snapshot on by the event stream. Beside it takes a snapshot five
 * times a second, as someone does who opens one of them now.
 */
export async function startMonitor(options: {
  /** The server that can be called now. */
  readonly url: () => Promise<string>;
  readonly send: Send;
  readonly token: string;
  readonly clock: Clock;
}): Promise<RunMonitor> {
  const { url, send, token, clock } = options;
  const api = createClient(send);
  const stopping = new AbortController();
  const commands = new Map<string, FollowedCommand>();
  const samples: ScreenSample[] = [];
  let gaps = 0;
  let screen: WorkspaceState = workspaceStateOf(await api.getSnapshot());
  const following = follow();
  const sampling = sample();

  async function follow(): Promise<void> {
    const after = screen.lastEventId;
    for await (const update of followEvents({ url, token, after, clock, signal: stopping.signal })) {
      if (update.kind === 'event') {
        screen = applyEvents(screen, [update.event]);
        note(update.event);
        continue;
      }
      gaps += 1;
      screen = workspaceStateOf(await api.getSnapshot());
    }
  }

  function note(event: Event): void {
    if (!('commandId' in event)) return;
    const before = commands.get(event.commandId);
    const summary = summaryAfter(before?.summary, event) ?? before?.summary;
    if (summary === undefined) return;
    commands.set(event.commandId, {
      summary,
      firstStartedAt: before?.firstStartedAt ?? (event.type === 'command_started' ? event.at : null),
      submissions: (before?.submissions ?? 0) + Number(event.type === 'command_submitted'),
      endings: (before?.endings ?? 0) + Number(ENDINGS.has(event.type)),
    });
  }

  async function sample(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(SAMPLE_EVERY_MS);
      const fromUs = microseconds();
      const snapshot = await api.getSnapshot(undefined, stopping.signal).catch(() => null);
      // Its coordinator was killed, or the run is over.
      if (snapshot !== null) samples.push(sampleOf(snapshot, { fromUs, toUs: microseconds() }));
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => clock.timer(ms, resolve));
  }

  async function catchUp(last: Snapshot['lastEventId']): Promise<boolean> {
    const until = clock.monotonic() + CATCH_UP_MS;
    const isBehind = (): boolean =>
      last !== null && (screen.lastEventId === null || isAfter(last, screen.lastEventId));
    while (isBehind() && clock.monotonic() < until) await pause(LOOK_EVERY_MS);
    return !isBehind();
  }

  async function finalScreens(): Promise<LastScreens> {
    const snapshot = await api.getSnapshot();
    const isCaughtUp = await catchUp(snapshot.lastEventId);
    const { commands: followed, ended } = screen;
    const opened = workspaceStateOf(snapshot).commands;
    const [stats, status] = await Promise.all([api.getStats({}), api.getStatus()]);
    return { followed: { commands: followed, ended }, opened, stats, status, isCaughtUp };
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await Promise.all([following, sampling]);
  }

  return {
    async finish() {
      try {
        const final = await finalScreens();
        return { final, commands, samples, gaps };
      } finally {
        await stop();
      }
    },
    stop,
  };
}

function sampleOf(
  { commands, queue }: Snapshot,
  when: Readonly<{ fromUs: number; toUs: number }>,
): ScreenSample {
  return {
    ...when,
    commands: new Map(commands.map(({ id, state }) => [id, state])),
    leases: new Map(queue.leases.map(({ commandId, claims }) => [commandId, claims])),
  };
}

const ENDINGS: ReadonlySet<Event['type']> = new Set([
  'command_completed',
  'command_failed',
  'command_denied',
  'command_cancelled',
]);
