import type { SchedulerListener } from './scheduler.ts';

/**
 * Delivers a scheduler's notices to its listener: in order, and never within the call that caused them. Notices from
 * before there is a listener are kept.
 */
export function createSchedulerNotices(): {
  listen(listener: SchedulerListener): void;
  send(notice: (listener: SchedulerListener) => void): void;
} {
  let listener: SchedulerListener | null = null;
  let kept: ((listener: SchedulerListener) => void)[] = [];

  const send = (notice: (listener: SchedulerListener) => void): void => {
    const receiver = listener;
    if (receiver === null) kept.push(notice);
    // One microtask each: an error in one of them ends the process, but does not silently drop the others.
    else queueMicrotask(() => notice(receiver));
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
