import type { Snapshot } from '@signalbox/api';
import { type Clock, type EventId, UnavailableError, UsageError } from '@signalbox/core';
import { openEvents } from '../../client/event-stream.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import type { ConnectionUpdate } from './frame/connection-update.ts';
import { readSnapshot } from './read-snapshot.ts';

export type ServerLink = Readonly<{ close(): void }>;

/** How far back events are read at the start, so that a late screen is not empty. */
const PAST_MS = 120_000;
/** Earlier output of a command is read too, if it has run for no longer than this. */
const LONGEST_PAST_MS = 600_000;
const ANSWER_WITHIN_MS = 40_000;
/** The next coordinator takes a second or two to start: a watcher should miss no more than that. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 1000;

/**
 * Follows the coordinator of a workspace until it is closed. A broken connection is retried with growing pauses, with
 * the current coordinator.
 */
export function followServer(options: {
  /** The coordinator that leads the workspace now. @throws while there is none */
  readonly find: () => Promise<LocalAccess>;
  /** Whether to include what happened right before the start. */
  readonly past: boolean;
  readonly clock: Clock;
  readonly tell: (update: ConnectionUpdate) => void;
}): ServerLink {
  const { find, clock, tell } = options;
  const over = new AbortController();
  let seen: EventId | null = null;
  let after: 'start' | 'break' | 'gap' = 'start';
  /** False once the log no longer has it: then the current state is enough. */
  let isPastKept = options.past;

  async function follow(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!over.signal.aborted) {
      try {
        const ended = await connectOnce(() => {
          pauseMs = FIRST_PAUSE_MS;
        });
        if (ended === 'no-past') {
          isPastKept = false;
          after = 'start';
          seen = null;
          continue;
        }
        if (ended === 'back') continue;
        if (ended === 'gap') {
          after = 'gap';
          seen = null;
          continue;
        }
        await pause(pauseMs, 'the server closed the connection');
      } catch (error) {
        if (over.signal.aborted) return;
        await pause(pauseMs, reasonOf(error));
      }
      if (after === 'start' && seen !== null) after = 'break';
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    }
  }

  async function pause(ms: number, why: string): Promise<void> {
    if (over.signal.aborted) return;
    tell({ kind: 'broken', at: clock.now(), nextTryAt: clock.now() + ms, why });
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = clock.timer(ms, resolve);
    over.signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    cancel();
  }

  async function connectOnce(connected: () => void): Promise<'gap' | 'no-past' | 'back' | 'ended'> {
    const access = await find();
    const update = await snapshotOf(access);
    const [{ snapshot }] = update;
    const isLate = seen === null && after === 'start' && isPastKept;
    // A log without events has no last one; every id is after this one.
    const from: string = seen ?? (isLate ? idOfPast(snapshot) : snapshot.lastEventId) ?? '0-0';
    const frames = await openEvents(access, { after: from, clock, signal: over.signal });
    for (const one of update) tell(one);
    after = 'break';
    seen ??= snapshot.lastEventId;
    connected();
    for await (const frame of frames) {
      if (frame.kind === 'reset') return isLate ? 'no-past' : 'gap';
      if (frame.kind === 'back') return 'back';
      if (frame.kind === 'hello') continue;
      if (frame.kind === 'event') seen = frame.event.id;
      tell(frame);
    }
    return 'ended';
  }

  /** A frozen server accepts connections and does not answer. */
  async function snapshotOf(access: LocalAccess): ReturnType<typeof readSnapshot> {
    const frozen = new AbortController();
    const cancel = clock.timer(ANSWER_WITHIN_MS, () => frozen.abort());
    const signal = AbortSignal.any([over.signal, frozen.signal]);
    return readSnapshot(access, after, signal).finally(cancel);
  }

  void follow();
  return {
    close() {
      over.abort();
    },
  };
}

/** System messages of a broken connection, such as `aborted` or `ECONNRESET`, are no sentences. */
function reasonOf(error: unknown): string {
  return error instanceof UsageError || error instanceof UnavailableError
    ? error.message
    : 'the connection was lost';
}

/** The event id before everything a new screen should show; null if nothing has happened yet. */
function idOfPast({ lastEventId, commands }: Snapshot): string | null {
  if (lastEventId === null) return null;
  const last = Number(lastEventId.split('-')[0]);
  const begun = commands.flatMap(({ state, startedAt }) =>
    state === 'running' && startedAt !== null ? [startedAt] : [],
  );
  const wanted = Math.min(last - PAST_MS, ...begun);
  return `${Math.max(0, Math.floor(Math.max(wanted, last - LONGEST_PAST_MS)) - 1)}-0`;
}
