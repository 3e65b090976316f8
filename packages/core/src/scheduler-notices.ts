import type { SchedulerListener } from './ports/scheduler.ts';

/**
 * How a scheduler tells its listener: in order, and never within the call that caused it. What comes before there is
 * a listener is kept.
 */
export function createSchedulerNotices(): {
  listen(listener: SchedulerListener): void;
  send(notice: (listener: SchedulerListener) => void): void;
} {
  let listener: SchedulerListener | null = null;
  let kept: ((listener: SchedulerListener) => void)[] = [];

  const send = (notice: (listener: SchedulerListener) => void): void => {
    const heard = listener;
    if (heard === null) kept.push(notice);
    // One microtask each: an error in one of them ends the process, but not the others in silence.
    else queueMicrotask(() => notice(heard));
  };

  return {
    send,
    listen(newListener) {
      listener = newListener;
      const missed = kept;
      kept = [];
      for (const notice of missed) send(notice);
    },
  };
}
