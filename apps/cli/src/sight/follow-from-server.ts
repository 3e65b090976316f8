import { type Clock, type CommandRecord, type Event, UnavailableError, UsageError } from '@signalbox/core';
import type { LocalAccess } from '../serve/local-access.ts';
import { openEvents } from '../serve/open-events.ts';
import type { PrintedPart, Sight } from './sight.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5000;
/** After so long without an answer it is given up. */
const PATIENCE_MS = 120_000;
const ENDINGS: ReadonlySet<Event['type']> = new Set([
  'command_completed',
  'command_failed',
  'command_denied',
  'command_cancelled',
]);

/**
 * What a command at a server prints. A connection that breaks is made anew, and goes on where it broke.
 *
 * @throws {UnavailableError} `no-answer` when the server does not answer for two minutes
 */
export async function* followFromServer(
  access: LocalAccess,
  { id, submittedAt }: Pick<CommandRecord, 'id' | 'submittedAt'>,
  { clock, say, get }: { clock: Clock; say: (what: string) => void; get: Sight['commands']['get'] },
): AsyncGenerator<PrintedPart> {
  let last = `${Math.floor(submittedAt) - 1}-0`;
  let brokenAt: number | null = null;
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    const over = new AbortController();
    try {
      // In this order: what it printed is told before its ending is stored.
      const isOver = (await get(id))?.state === 'done';
      if (brokenAt !== null) say('connected again');
      brokenAt = null;
      pauseMs = FIRST_PAUSE_MS;
      const query = { command: id, output: id };
      for await (const frame of await openEvents(access, {
        query,
        after: last,
        clock,
        signal: over.signal,
      })) {
        if (frame.kind === 'reset') {
          say('what it printed before is no longer told');
          if (isOver) return;
          continue;
        }
        if (frame.kind === 'away') say(`${frame.why}; it goes on when that answers`);
        if (frame.kind !== 'event') continue;
        const { event } = frame;
        last = event.id;
        if (event.type === 'command_output') yield { stream: event.stream, text: event.output };
        if (ENDINGS.has(event.type)) return;
      }
    } catch (error) {
      // What the server says against it is no matter of the connection.
      if (error instanceof UsageError) throw error;
    } finally {
      over.abort();
    }
    brokenAt ??= clock.now();
    if (clock.now() - brokenAt > PATIENCE_MS) throw gone(access);
    if (pauseMs === FIRST_PAUSE_MS) say('connection lost; trying again');
    await new Promise<void>((resolve) => clock.timer(pauseMs, resolve));
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
  }
}

function gone({ url }: LocalAccess): UnavailableError {
  return new UnavailableError('no-answer', `Cannot follow any longer: ${url} does not answer`, {
    why: [`tried for ${PATIENCE_MS / 60_000} minutes; the command may go on`],
    next: ['signalbox output ID --follow   begins anew'],
  });
}
