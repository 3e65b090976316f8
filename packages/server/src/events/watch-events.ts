import type { Clock, Event, EventId, EventLog, LastKnown } from '@signalbox/core';
import { isAfter } from '@signalbox/api';

/** Where the stream's text goes: a response. */
export type EventWatcher = {
  /** Answers how many bytes wait to be sent. */
  write(text: string): number;
  /** Settles when nothing waits to be sent any more, or never will be sent. */
  drained(): Promise<void>;
  /** Ends the stream; the client comes back with the last id that it has seen. */
  drop(): void;
};

/** Who is further behind what happens now than this is dropped, so that it costs the others no memory. In bytes. */
const MOST_BEHIND = 4 * 1024 * 1024;
/** What happened before is sent as fast as it is read: so many bytes, and then no more until they have gone. */
const MOST_AHEAD = 256 * 1024;
/** Who does not take that much in so long reads nothing, and is dropped. */
const STALLED_MS = 300_000;
/** Beyond this a snapshot is the shorter way: `reset`. */
const MOST_REPLAYED = 20_000;
const PAGE = 250;
/** Proxies cut connections that are silent. */
const KEEP_ALIVE_MS = 15_000;
const RETRY_MS = 1000;

/**
 * Server-sent events: `hello` with the server's time and the last id, then what came after `after`, then what
 * comes. `away` and `back` tell of the backend. `reset` when the log no longer holds what came right after that id, or
 * more came than is worth telling: take a snapshot; what follows comes after the id that it names.
 *
 * Answers how to stop.
 */
export function watchEvents(parts: {
  readonly events: EventLog;
  /** Where the backend can be away: that it went, and that it came back, is told too. */
  readonly lastKnown?: Pick<LastKnown, 'away' | 'onChange'> | null | undefined;
  readonly clock: Clock;
  readonly watcher: EventWatcher;
  readonly wants: (event: Event) => boolean;
  /** Asked with every sign of life: whether who watches still may. */
  readonly isWelcome: () => Promise<boolean>;
  /** Null: only what comes from now on. */
  readonly after: EventId | null;
}): () => void {
  const { events, lastKnown, clock, watcher, wants } = parts;
  /** What is told now. While older events are being sent it is found in the log; only what may come after that is kept. */
  let live: 'unheard' | 'sent' | Event[] = 'unheard';
  /** The last one that was told of before those that are told now. */
  let upTo: EventId | null = null;
  let stopped = false;
  let cancelSign = (): void => undefined;

  const unsubscribe = events.subscribe((event) => {
    if (live === 'sent') sendNew(event);
    else if (live !== 'unheard') live.push(event);
  });
  let forgetAway = (): unknown => undefined;

  function stop(): void {
    stopped = true;
    unsubscribe();
    forgetAway();
    cancelSign();
  }

  /** Answers how many bytes wait to be sent. */
  function put(text: string): number {
    if (stopped) return 0;
    const behind = watcher.write(text);
    if (behind > MOST_BEHIND && live === 'sent') dismiss();
    return behind;
  }

  function dismiss(): void {
    stop();
    watcher.drop();
  }

  function send(event: Event): number {
    return wants(event) ? put(frameOf(event)) : 0;
  }

  /** Not what the log has told already: who tells of it may be slower than the log. */
  function sendNew(event: Event): void {
    if (upTo === null || isAfter(event.id, upTo)) send(event);
  }

  /** Older events never break a connection that is read, however slowly. */
  async function sendAsRead(event: Event): Promise<void> {
    if (send(event) < MOST_AHEAD) return;
    const cancel = clock.timer(STALLED_MS, dismiss);
    await watcher.drained();
    cancel();
  }

  function tellAway(): void {
    const away = lastKnown?.away() ?? null;
    put(`event: ${away === null ? 'back' : 'away'}\ndata: ${JSON.stringify(away ?? {})}\n\n`);
  }

  function followAway(): void {
    if (stopped || lastKnown == null) return;
    if (lastKnown.away() !== null) tellAway();
    forgetAway = lastKnown.onChange(tellAway);
  }

  function keepAliveFrame(): void {
    cancelSign = clock.timer(KEEP_ALIVE_MS, () => {
      put(': still here\n\n');
      parts.isWelcome().then(goOn, dismiss);
    });
  }

  function goOn(isWelcome: boolean): void {
    if (stopped) return;
    if (isWelcome) keepAliveFrame();
    else dismiss();
  }

  /** Sends what the log holds up to now; answers the last id that was told of. */
  async function replay(after: EventId): Promise<EventId | null> {
    let last = after;
    for (let reported = 0; ;) {
      live = [];
      const page = await events.since(last, PAGE);
      if (page.kind === 'events' && page.events.length === 0) return last;
      if (page.kind === 'reset' || reported >= MOST_REPLAYED) return tellReset();
      live = 'unheard';
      for (const event of page.events) {
        if (stopped) return last;
        await sendAsRead(event);
        last = event.id;
      }
      reported += page.events.length;
    }
  }

  async function tellReset(): Promise<EventId | null> {
    const lastId = await events.lastId();
    put(`event: reset\ndata: ${JSON.stringify({ now: clock.now(), lastId })}\n\n`);
    return lastId;
  }

  async function start(): Promise<void> {
    if (parts.after === null) live = [];
    const from = parts.after ?? (await events.lastId());
    put(`retry: ${RETRY_MS}\nevent: hello\ndata: ${JSON.stringify({ now: clock.now(), lastId: from })}\n\n`);
    followAway();
    keepAliveFrame();
    upTo = parts.after === null ? from : await replay(parts.after);
    const meanwhile = live;
    live = 'sent';
    if (typeof meanwhile === 'string') return;
    for (const event of meanwhile) sendNew(event);
  }

  start().catch(dismiss);
  return stop;
}

/** Each event becomes text once, however many watch. */
const frames = new WeakMap<Event, string>();

function frameOf(event: Event): string {
  const known = frames.get(event);
  if (known !== undefined) return known;
  const frame = `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`;
  frames.set(event, frame);
  return frame;
}
