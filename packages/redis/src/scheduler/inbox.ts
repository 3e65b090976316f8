import { type Notice, NumberedNotice } from './scheduler-scripts.ts';

/** What Redis leaves for one process, heard once each and in order, by whichever way it comes first. */
export type Inbox = {
  /** Number of the last notice that was heard. */
  got(): number;
  /** All that was left there, as Redis answered to a question asked then, by the monotonic clock. */
  hearAll(news: { readonly now: number; readonly notices: readonly NumberedNotice[] }, askedAt: number): void;
  /** One that came by itself: heard at once if it follows the last one; a later one says only that there is news. */
  hearNext(notice: NumberedNotice): void;
  /** The same as it was published; of text that is no notice only that there is news. */
  hearPublished(text: string): void;
};

/** @param hear with the time of Redis and when it was asked for, by the newest answer */
export function createInbox(
  hear: (notice: Notice, askedAt: number, now: number) => void,
  askForNews: () => void,
): Inbox {
  let got = 0;
  let redisTime: { readonly now: number; readonly askedAt: number } | null = null;

  function hearNext({ number, notice }: NumberedNotice): void {
    if (number <= got) return;
    if (redisTime === null || number > got + 1) return askForNews();
    got = number;
    hear(notice, redisTime.askedAt, redisTime.now);
  }

  return {
    hearNext,
    got: () => got,
    hearAll({ now, notices }, askedAt) {
      redisTime = { now, askedAt };
      for (const { number, notice } of notices) {
        if (number > got) hear(notice, askedAt, now);
        got = Math.max(got, number);
      }
    },
    hearPublished(text) {
      const { data } = NumberedNotice.safeParse(text);
      if (data === undefined) askForNews();
      else hearNext(data);
    },
  };
}
