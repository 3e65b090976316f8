import type { Clock, EventLog, Logger, NewEvent } from '@signalbox/core';
import type { LogFileState } from './log-file.ts';

/** Delay before an event that could not be stored is tried again. */
const AGAIN_AFTER_MS = 10_000;
/** More waiting warnings than this are dropped, oldest first. */
const MAX_WAITING = 20;

export type Warning = Extract<NewEvent, { type: 'warning_raised' | 'warning_cleared' }>;

/** Reports problems of Signalbox itself as events, as soon as events can be stored. */
export type Warnings = {
  tell(warning: Warning): void;
  stop(): void;
};

export function createWarnings(parts: {
  readonly events: Pick<EventLog, 'append'>;
  readonly clock: Pick<Clock, 'timer'>;
  readonly logger: Logger;
}): Warnings {
  const { events, clock, logger } = parts;
  let waiting: readonly Warning[] = [];
  let isSending = false;
  let isStopped = false;
  let cancel: () => void = () => undefined;

  async function send(): Promise<void> {
    if (isSending || isStopped) return;
    isSending = true;
    try {
      for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
        await events.append([first]);
        waiting = waiting.slice(1);
      }
    } catch (error) {
      logger.warn({ error }, 'warning not shown yet');
      cancel = clock.timer(AGAIN_AFTER_MS, () => void send());
    } finally {
      isSending = false;
    }
  }

  return {
    tell(warning) {
      cancel();
      waiting = [...waiting, warning].slice(-MAX_WAITING);
      void send();
    },
    stop() {
      isStopped = true;
      cancel();
    },
  };
}

export function warningOfLog(state: LogFileState): Warning {
  if (state.kind === 'not-written') {
    const why = state.cause instanceof Error ? state.cause.message : String(state.cause);
    return {
      type: 'warning_raised',
      code: 'log-not-written',
      message: `Cannot write the log "${state.file}": ${why}`,
      next: ['Free some space, or make the file writable; the log resumes by itself'],
    };
  }
  const lines = state.dropped === 1 ? '1 line is' : `${state.dropped} lines are`;
  return {
    type: 'warning_cleared',
    code: 'log-not-written',
    message: `The log "${state.file}" is writable again; ${lines} missing`,
  };
}
