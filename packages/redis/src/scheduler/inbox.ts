import { type Notice, NumberedNotice } from './scheduler-scripts.ts';

/** What Redis leaves for one process, heard once each and in order, by whichever way it comes first. */
export type Inbox = {
  /** Number of the last notice that was heard. */
  got(): number;
  /** All that was left there, as Redis answered to a question asked then, by the monotonic clock. */
  receiveAll(
    updates: { readonly now: number; readonly notices: readonly NumberedNotice[] },
    askedAt: number,
  ): void;
  /** One that came by itself: heard at once if it follows the last one; a later one says only that there is news. */
  receiveNext(notice: NumberedNotice): void;
  /** The same as it was published; of text that is no notice only that there is news. */
  receivePublished(text: string): void;
};

/** @param receive with the time of Redis and when it was asked for, by the newest answer */
export function createInbox(
  receive: (notice: Notice, askedAt: number, now: number) => void,
  requestUpdates: () => void,
): Inbox {
  let got = 0;
  let redisTime: { readonly now: number; readonly askedAt: number } | null = null;

  function receiveNext({ number, notice }: NumberedNotice): void {
    if (number <= got) return;
    if (redisTime === null || number > got + 1) return requestUpdates();
    got = number;
    receive(notice, redisTime.askedAt, redisTime.now);
  }

  return {
    receiveNext,
    got: () => got,
    receiveAll({ now, notices }, askedAt) {
      redisTime = { now, askedAt };
      for (const { number, notice } of notices) {
        if (number > got) receive(notice, askedAt, now);
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
