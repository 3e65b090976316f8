import type { Clock, CommandRecord } from '@signalbox/core';
import type { Request } from '../command-event.ts';
import { openQuestion } from '../record-after.ts';
import type { StepPerformers } from './performers.ts';

/** Longest timer; a longer wait is checked again then. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The timer of one command's approval. */
export type Waiting = StepPerformers<'wait' | 'stopWaiting'> & {
  /** A request to check whether its time is over. */
  due(): Request;
};

export function waitingFor(
  { context }: CommandRecord,
  parts: {
    readonly clock: Clock;
    /** Whether an expired approval pauses its session, by the settings. */
    readonly pausesOnExpiry: boolean;
    readonly send: (request: Request) => void;
    readonly onWaiting: () => void;
  },
): Waiting {
  const { clock, pausesOnExpiry: answerable } = parts;
  let cancel: () => void = () => undefined;

  function due(): Request {
    const pauses = answerable && context.pausesOnExpiry === true;
    return { type: 'approval.due', at: clock.now(), answerable, pauses };
  }

  return {
    due,
    wait(_, record) {
      parts.onWaiting();
      cancel();
      const question = openQuestion(record);
      if (question === null || question.pausedAt !== undefined) return;
      const leftMs = Math.max(question.expiresAt - clock.now(), 0);
      cancel = clock.timer(Math.min(leftMs, LONGEST_TIMER_MS), () => parts.send(due()));
    },
    stopWaiting: () => cancel(),
  };
}
