import type { Clock, Event, EventId, EventLog, LastKnown } from '@signalbox/core';
import { isAfter } from '@signalbox/api';

/** Destination of the stream's text: a response. */
export type EventWatcher = {
  /** Returns how many bytes wait to be sent. */
  write(text: string): number;
  /** Settles when no bytes wait, or when none will ever be sent. */
  drained(): Promise<void>;
  /** Ends the stream; the client reconnects with the last id that it saw. */
  drop(): void;
};

/** In bytes. A watcher further behind on live events is dropped, so that it costs the others no memory. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;
/** In bytes. Older events are sent as fast as they are read: at most this many, then a pause until they have gone. */
const MAX_AHEAD_BYTES = 256 * 1024;
/** A watcher that does not take that much within this time is not reading and is dropped. */
const STALLED_MS = 300_000;
/** Beyond this a snapshot is cheaper: `reset`. */
const MAX_REPLAYED = 20_000;
const PAGE = 250;
/** Proxies cut silent connections. */
const KEEP_ALIVE_MS = 15_000;
const RETRY_MS = 1000;

/**
 * Server-sent events: `hello` with the server's time and the last id, then the events after `after`, then live events.
 * `away` and `back` report the backend. `reset` is sent when the log no longer holds the event after that id, or when
 * more came than is worth sending: the client takes a snapshot and continues after the id in the reset.
 *
 * Returns a function that stops the stream.
 */
export function watchEvents(parts: {
  readonly events: EventLog;
  /** For a backend that can be away: its outages and returns are sent too. */
  readonly lastKnown?: Pick<LastKnown, 'away' | 'onChange'> | null | undefined;
  readonly clock: Clock;
  readonly watcher: EventWatcher;
  readonly wants: (event: Event) => boolean;
  /** Checked with every heartbeat: whether the watcher still has access. */
  readonly isWelcome: () => Promise<boolean>;
  /** Null: only live events. */
  readonly after: EventId | null;
}): () => void {
  const { events, lastKnown, clock, watcher, wants } = parts;
  /** State of live events. During a replay they are read from the log; only those that may come after it are kept. */
  let live: 'unheard' | 'sent' | Event[] = 'unheard';
  /** Id of the last replayed event. */
  let upTo: EventId | null = null;
  let stopped = false;
  let cancelSign = (): void => undefined;

  const unsubscribe = events.subscribe((event) => {
    if (live === 'sent') sendNew(event);
    else if (live !== 'unheard') live.push(event);
  });
  let stopAway = (): unknown => undefined;

  function stop(): void {
    stopped = true;
    unsubscribe();
    stopAway();
    cancelSign();
  }

  /** Returns how many bytes wait to be sent. */
  function put(text: string): number {
    if (stopped) return 0;
    const behind = watcher.write(text);
    if (behind > MAX_BUFFERED_BYTES && live === 'sent') dismiss();
    return behind;
  }

  function dismiss(): void {
    stop();
    watcher.drop();
  }

  function send(event: Event): number {
    return wants(event) ? put(frameOf(event)) : 0;
  }

  /** Skips events that the log has sent already: live delivery can be slower than the log. */
  function sendNew(event: Event): void {
    if (upTo === null || isAfter(event.id, upTo)) send(event);
  }

  /** Older events never break a connection that is read, however slowly. */
  async function sendAsRead(event: Event): Promise<void> {
    if (send(event) < MAX_AHEAD_BYTES) return;
    const cancel = clock.timer(STALLED_MS, dismiss);
    await watcher.drained();
    cancel();
  }

  function sendAway(): void {
    const away = lastKnown?.away() ?? null;
    put(`event: ${away === null ? 'back' : 'away'}\ndata: ${JSON.stringify(away ?? {})}\n\n`);
  }

  function followAway(): void {
    if (stopped || lastKnown == null) return;
    if (lastKnown.away() !== null) sendAway();
    stopAway = lastKnown.onChange(sendAway);
  }

  function keepAliveFrame(): void {
    cancelSign = clock.timer(KEEP_ALIVE_MS, () => {
      put(': still here\n\n');
      parts.isWelcome().then(continueReplay, dismiss);
    });
  }

  function continueReplay(isWelcome: boolean): void {
    if (stopped) return;
    if (isWelcome) keepAliveFrame();
    else dismiss();
  }

  /** Sends what the log holds up to now; returns the last id sent. */
  async function replay(after: EventId): Promise<EventId | null> {
    let last = after;
    for (let reported = 0; ;) {
      live = [];
      const page = await events.since(last, PAGE);
      if (page.kind === 'events' && page.events.length === 0) return last;
      if (page.kind === 'reset' || reported >= MAX_REPLAYED) return sendReset();
      live = 'unheard';
      for (const event of page.events) {
        if (stopped) return last;
        await sendAsRead(event);
        last = event.id;
      }
      reported += page.events.length;
    }
  }

  async function sendReset(): Promise<EventId | null> {
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
