import type { Clock, Event, EventId, EventLog, LastKnown } from '@signalbox/core';
import { isAfter } from './is-after.ts';

/** Where the stream's text goes: a response. */
export type Watcher = {
  /** Answers how many bytes wait to be sent. */
  write(text: string): number;
  /** Ends the stream; the client comes back with the last id that it has seen. */
  drop(): void;
};

/** A watcher further behind than this is dropped, so that it costs the others no memory. In bytes. */
const MOST_BEHIND = 4 * 1024 * 1024;
/** Proxies cut connections that are silent. */
const SIGN_OF_LIFE_MS = 15_000;
const RETRY_MS = 1000;

/**
 * Server-sent events: `hello` with the server's time and the last id, then what came after `after`, then what
 * comes. `away` and `back` tell of the backend. `reset` in its place when the log no longer holds what came right after that id: take a snapshot.
 *
 * Answers how to stop.
 */
export function watchEvents(parts: {
  readonly events: EventLog;
  /** Where the backend can be away: that it went, and that it came back, is told too. */
  readonly lastKnown?: Pick<LastKnown, 'away' | 'onChange'> | null | undefined;
  readonly clock: Clock;
  readonly watcher: Watcher;
  readonly wants: (event: Event) => boolean;
  /** Asked with every sign of life: whether who watches still may. */
  readonly isWelcome: () => Promise<boolean>;
  /** Null: only what comes from now on. */
  readonly after: EventId | null;
}): () => void {
  const { events, lastKnown, clock, watcher, wants } = parts;
  let early: Event[] | null = [];
  let stopped = false;
  let cancelSign = (): void => undefined;

  const unsubscribe = events.subscribe((event) => {
    if (early === null) send(event);
    else early.push(event);
  });
  let forgetAway = (): unknown => undefined;

  function stop(): void {
    stopped = true;
    unsubscribe();
    forgetAway();
    cancelSign();
  }

  function put(text: string): void {
    if (stopped) return;
    if (watcher.write(text) <= MOST_BEHIND) return;
    dismiss();
  }

  function dismiss(): void {
    stop();
    watcher.drop();
  }

  function send(event: Event): void {
    if (wants(event)) put(frameOf(event));
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

  function signOfLife(): void {
    cancelSign = clock.timer(SIGN_OF_LIFE_MS, () => {
      put(': still here\n\n');
      parts.isWelcome().then(goOn, dismiss);
    });
  }

  function goOn(isWelcome: boolean): void {
    if (stopped) return;
    if (isWelcome) signOfLife();
    else dismiss();
  }

  async function replay(): Promise<EventId | null> {
    let last = parts.after ?? (await events.lastId());
    put(`retry: ${RETRY_MS}\nevent: hello\ndata: ${JSON.stringify({ now: clock.now(), lastId: last })}\n\n`);
    followAway();
    if (parts.after === null) return last;
    for (;;) {
      const page = await events.since(last);
      if (page.kind === 'reset') {
        last = await events.lastId();
        put(`event: reset\ndata: ${JSON.stringify({ now: clock.now(), lastId: last })}\n\n`);
        return last;
      }
      for (const event of page.events) send(event);
      const end = page.events.at(-1);
      if (end === undefined || stopped) return last;
      last = end.id;
    }
  }

  async function start(): Promise<void> {
    const last = await replay();
    const waiting = early ?? [];
    early = null;
    for (const event of waiting) if (last === null || isAfter(event.id, last)) send(event);
    if (!stopped) signOfLife();
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
