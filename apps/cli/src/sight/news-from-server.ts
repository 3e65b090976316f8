import { type Clock, UnavailableError, UsageError } from '@signalbox/core';
import type { LocalAccess } from '../serve/local-access.ts';
import { openEvents } from '../serve/open-events.ts';
import type { News } from './news.ts';
import { pause } from './pause.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5000;

/**
 * What the event stream of a server tells, until the signal aborts. A connection that breaks is made anew, and goes on
 * where it broke.
 *
 * @throws {UsageError} what the server says against it. @throws {UnavailableError} `no-answer` when it was patient
 * enough: it does not end by itself otherwise.
 */
export async function* newsFromServer(
  access: LocalAccess,
  options: {
    readonly query?: Readonly<Record<string, string>>;
    /** The last event that is known already; null: only what comes from now on. */
    readonly after: string | null;
    readonly clock: Clock;
    readonly signal: AbortSignal;
    /** Hears of a connection that broke, and of its return. */
    readonly say: (what: string) => void;
    /** How long a server may be away. Default: for ever. */
    readonly patienceMs?: number;
  },
): AsyncGenerator<News, void> {
  const { query = {}, clock, signal, say, patienceMs = Infinity } = options;
  let after = options.after;
  let hasBegun = false;
  let brokenAt: number | null = null;
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    try {
      for await (const frame of await openEvents(access, { query, after, clock, signal })) {
        switch (frame.kind) {
          case 'hello':
            if (brokenAt !== null) say('connected again');
            brokenAt = null;
            pauseMs = FIRST_PAUSE_MS;
            // A log without any event has no last one; every id comes after this.
            after ??= frame.lastId ?? '0-0';
            if (!hasBegun) yield { kind: 'begun' };
            hasBegun = true;
            break;
          case 'reset':
            after = frame.lastId ?? after;
            yield { kind: 'gap' };
            break;
          case 'event':
            after = frame.event.id;
            yield frame;
            break;
          case 'away':
            say(`${frame.why}; it goes on when that answers`);
            break;
          case 'back':
            break;
        }
      }
    } catch (error) {
      // What the server says against it is no matter of the connection.
      if (error instanceof UsageError) throw error;
    }
    if (signal.aborted) return;
    brokenAt ??= clock.now();
    if (clock.now() - brokenAt > patienceMs) throw gone(access, patienceMs);
    if (pauseMs === FIRST_PAUSE_MS) say('connection lost; trying again');
    await pause(pauseMs, clock, signal);
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
  }
}

function gone({ url, socket }: LocalAccess, patienceMs: number): UnavailableError {
  if (socket !== undefined)
    return new UnavailableError('coordinator-gone', 'Cannot follow any longer: the coordinator has ended', {
      next: ['signalbox status', 'the next signalbox run or serve settles what it led'],
    });
  return new UnavailableError('no-answer', `Cannot follow any longer: ${url} does not answer`, {
    why: [`tried for ${patienceMs / 60_000} minutes; the command may go on`],
    next: ['begin anew when it answers'],
  });
}
