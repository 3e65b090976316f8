import { errorText, type EventLog, type Logger, type NewEvent } from '@signalbox/core';
import type { Fault } from './actor-group.ts';

/** Further faults are only logged. */
const MAX_REPORTED = 20;
const LONGEST_WHY = 200;

/** A child that threw, as shown to people. */
export type FaultRecord = { readonly actor: string; readonly why: string; readonly at: number };

/** Records which actors have thrown; all others continue. */
export type FaultLog = {
  readonly records: readonly FaultRecord[];
  /** A command or session threw; its own ending reports it. */
  note(fault: Fault): unknown;
  /** A part of the coordinator threw: a warning is raised. */
  tell(fault: Fault): void;
};

export function createFaultLog(parts: {
  readonly events: Pick<EventLog, 'append'>;
  readonly logger: Logger;
  readonly redact: (text: string) => string;
  readonly now: () => number;
}): FaultLog {
  const { events, logger, redact, now } = parts;
  const records: FaultRecord[] = [];

  function note({ actor, error }: Fault): string {
    logger.error({ actor, error }, 'actor failed');
    const why = redact(errorText(error)).slice(0, LONGEST_WHY);
    if (records.length < MAX_REPORTED) records.push({ actor, why, at: now() });
    return why;
  }

  return {
    records,
    note,
    tell(fault) {
      const warning: NewEvent = {
        type: 'warning_raised',
        code: 'part-failed',
        message: `Part "${fault.actor}" of the coordinator failed and is stopped until the next start: ${note(fault)}`,
        next: ['signalbox status --machine', 'signalbox logs', 'signalbox stop'],
      };
      events.append([warning]).catch((cause: unknown) => {
        logger.warn({ error: cause }, 'warning not published');
      });
    },
  };
}
