import { type Notice, NumberedNotice } from './scheduler-scripts.ts';

/** Notices from Redis to one process, received once each and in order, by whichever way they arrive first. */
export type Inbox = {
  /** Number of the last notice received. */
  got(): number;
  /** Takes the notices of a reply from Redis; `askedAt` is when it was requested, on the monotonic clock. */
  receiveAll(
    updates: { readonly now: number; readonly notices: readonly NumberedNotice[] },
    askedAt: number,
  ): void;
  /** Takes one notice: received at once if it follows the last one; otherwise updates are requested. */
  receiveNext(notice: NumberedNotice): void;
  /** Takes a notice as published; for any other text, updates are requested. */
  receivePublished(text: string): void;
};

/** Called with `askedAt` and `now` (the time of Redis) of the latest reply. */
export type NoticeListener = (notice: Notice, reply: Readonly<{ askedAt: number; now: number }>) => void;

export function createInbox(receive: NoticeListener, requestUpdates: () => void): Inbox {
  let got = 0;
  let redisTime: { readonly now: number; readonly askedAt: number } | null = null;

  function receiveNext({ number, notice }: NumberedNotice): void {
    if (number <= got) return;
    if (redisTime === null || number > got + 1) return requestUpdates();
    got = number;
    receive(notice, redisTime);
  }

  return {
    receiveNext,
    got: () => got,
    receiveAll({ now, notices }, askedAt) {
      redisTime = { now, askedAt };
      for (const { number, notice } of notices) {
        if (number > got) receive(notice, { askedAt, now });
        got = Math.max(got, number);
      }
    },
    receivePublished(text) {
      const { data } = NumberedNotice.safeParse(text);
      if (data === undefined) requestUpdates();
      else receiveNext(data);
    },
  };
}
