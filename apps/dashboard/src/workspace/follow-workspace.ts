import { client, refusalFrom } from '../api/client.ts';
import { AwayFrame, HelloFrame, parseEvent } from '@signalbox/api';
import { createTaskFinder } from './find-tasks.ts';
import { browserTimes, gatherEvents } from './gather-events.ts';
import type { PanelStore } from './panel-store.ts';

const RETRY_MS = 2000;

export type WorkspaceFollower = {
  /** Retries at once. */
  tryNow(): void;
  stop(): void;
};

/**
 * Keeps the store current: a snapshot, then one stream of events after it.
 *
 * The browser reconnects the stream by itself and names the last event that it has seen; the server sends what was
 * missed, or `reset` when it no longer has it, and then a new snapshot is fetched. While its backend is away it reports
 * the last known state. A signed-out browser is told so, and requests nothing more.
 */
export function followWorkspace(store: PanelStore): WorkspaceFollower {
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let missed: number | null = null;
  /** Counts starts: a response requested before the last one is ignored. */
  let beginning = 0;
  const findTasks = createTaskFinder(store);
  const take = gatherEvents((events) => {
    store.apply(events);
    findTasks(events);
    if (missed !== null) missed += events.length;
  }, browserTimes);

  function close(): void {
    beginning += 1;
    clearTimeout(retry);
    source?.close();
    source = null;
  }

  async function begin(reloaded: boolean): Promise<void> {
    close();
    const own = beginning;
    try {
      const snapshot = await client.getSnapshot();
      if (own !== beginning) return;
      store.reset(snapshot, Date.now());
      open(snapshot.lastEventId);
      store.setLink({ kind: 'live', caughtUp: null, reloaded });
    } catch (error) {
      if (own !== beginning) return;
      const refusal = refusalFrom(error);
      if (refusal.status === 401 || refusal.status === 403) {
        store.setLink({ kind: 'refused', refusal });
        return;
      }
      if (store.get().panel === null) store.setLink({ kind: 'failed', refusal });
      retry = setTimeout(() => void begin(reloaded), RETRY_MS);
    }
  }

  function open(after: string | null): void {
    const query = new URLSearchParams({ output: 'none', ...(after === null ? {} : { after }) });
    const opened = new EventSource(`/api/events?${query}`);
    source = opened;
    opened.addEventListener('hello', ({ data }) => receiveHello(String(data)));
    opened.addEventListener('reset', () => void begin(true));
    opened.addEventListener('away', ({ data }) => away(String(data)));
    opened.addEventListener('back', () => void begin(false));
    opened.addEventListener('message', ({ data }) => {
      const event = parseEvent(JSON.parse(String(data)));
      if (event !== null) take(event);
    });
    opened.addEventListener('error', () => lost(opened));
  }

  function receiveHello(data: string): void {
    // Our own clock may have been set, or stopped during sleep, since the snapshot.
    store.setTime(HelloFrame.parse(JSON.parse(data)).now, Date.now());
    if (store.get().link.kind !== 'reconnecting') return;
    missed = 0;
    // Missed events follow at once, in one piece; only then is their number known.
    setTimeout(() => {
      if (store.get().link.kind !== 'reconnecting') return;
      store.setLink({ kind: 'live', caughtUp: missed ?? 0, reloaded: false });
      missed = null;
    }, CATCH_UP_MS);
  }

  function away(data: string): void {
    const { asOf, why } = AwayFrame.parse(JSON.parse(data));
    store.setLink({ kind: 'away', asOf, why });
  }

  function lost(opened: EventSource): void {
    if (source !== opened) return;
    const { link, skewMs } = store.get();
    if (link.kind === 'live') store.setLink({ kind: 'reconnecting', seenAt: Date.now() + skewMs });
    if (link.kind === 'away') store.setLink({ kind: 'reconnecting', seenAt: link.asOf });
    // A rejection ends the stream for good: the snapshot's response says why.
    if (opened.readyState === EventSource.CLOSED) {
      clearTimeout(retry);
      retry = setTimeout(() => void begin(false), RETRY_MS);
    }
  }

  const unsubscribe = store.subscribe(() => {
    if (store.get().link.kind === 'refused') stop();
  });

  function stop(): void {
    unsubscribe();
    close();
  }

  void begin(false);
  return { tryNow: () => void begin(false), stop };
}

const CATCH_UP_MS = 150;
