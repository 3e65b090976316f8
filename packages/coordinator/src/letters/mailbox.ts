import {
  Approver,
  CallHash,
  type Clock,
  CommandId,
  type Facts,
  Json,
  JsonObject,
  type Logger,
  type MemberId,
  Mode,
  SessionId,
  UnavailableError,
} from '@signalbox/core';
import * as z from 'zod';
import { Haste } from '../haste.ts';

/** What another process of the same machine asks of the running coordinator. */
export const Letter = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('cancel'),
    id: CommandId,
    by: z.string(),
    reason: z.string(),
    haste: Haste.exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('approve'),
    id: CommandId,
    by: Approver,
    expect: CallHash,
    /** Other arguments, and the hash of the question that was shown of them. */
    change: z.strictObject({ args: JsonObject, shown: CallHash }).optional(),
  }),
  z.strictObject({
    kind: z.literal('deny'),
    id: CommandId,
    by: Approver,
    expect: CallHash,
    reason: z.string().exactOptional(),
    stopsSession: z.boolean().exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('extend'),
    id: CommandId,
    by: Approver,
    expect: CallHash,
    ms: z.int().positive(),
  }),
  /** What a changed call would be judged; decides nothing. */
  z.strictObject({ kind: z.literal('judge'), id: CommandId, args: JsonObject }),
  /** What a pending call would do, for the person at another terminal. */
  z.strictObject({ kind: z.literal('preview'), id: CommandId }),
  /** An allow rule for the session of that command. */
  z.strictObject({ kind: z.literal('remember'), id: CommandId, rule: JsonObject }),
  z.strictObject({ kind: z.literal('forget'), rule: z.string() }),
  z.strictObject({
    kind: z.literal('undo'),
    id: CommandId,
    paths: z.array(z.string()),
    force: z.boolean(),
    part: z.boolean().optional(),
    hunk: z.string().optional(),
    by: Approver,
    sessionId: SessionId,
  }),
  z.strictObject({ kind: z.literal('stop-session'), id: SessionId, by: z.string() }),
  z.strictObject({
    kind: z.literal('mode'),
    mode: Mode,
    by: z.string(),
    reason: z.string(),
    forMs: z.int().positive().exactOptional(),
  }),
]);
export type Letter = z.infer<typeof Letter>;

/** Letters are read one by one, so that one that nobody understands spoils no other. */
const Box = z.strictObject({
  letters: z.array(z.strictObject({ id: z.string(), letter: Json })),
  replies: z.array(z.strictObject({ id: z.string(), reply: Json })),
});
type Box = z.infer<typeof Box>;

const Failed = z.strictObject({ kind: z.literal('failed'), message: z.string() });

/** The box of the one coordinator, or of one among several. */
function boxOf(member: MemberId | undefined): string {
  return member === undefined ? 'mailbox' : `mailbox:${member}`;
}

const EMPTY: Box = { letters: [], replies: [] };
const LOOK_EVERY_MS = 100;
/** Replies that nobody fetched are dropped, oldest first. */
const KEPT_REPLIES = 50;

export type LetterAnswer =
  | { readonly kind: 'replied'; readonly reply: Json }
  /** Nobody has read it, and nobody will: nothing was done. */
  | { readonly kind: 'taken-back' }
  /** It was taken, and no reply came in time: it may have been done. */
  | { readonly kind: 'unanswered' };

/**
 * Puts a letter into the mailbox of the workspace and waits for its reply.
 *
 * The store is the meeting place: whoever may write the workspace's state folder may ask, and commands in the
 * sandbox may not. `signal` ends the wait; the letter is then taken back if nobody has read it.
 *
 * @throws {UnavailableError} `not-done` when the coordinator could not do it.
 */
export async function sendLetter(
  facts: Facts,
  letter: Letter,
  options: {
    readonly id: string;
    readonly clock: Clock;
    readonly signal: AbortSignal;
    /** To which coordinator, where a workspace has several. */
    readonly to?: MemberId;
  },
): Promise<LetterAnswer> {
  const { id, clock, signal } = options;
  const key = boxOf(options.to);
  const news = createNews(facts, key, clock);
  try {
    return await exchange();
  } finally {
    news.stop();
  }

  async function exchange(): Promise<LetterAnswer> {
    await change(facts, key, (box) => ({
      ...box,
      letters: [...box.letters, { id, letter: Json.parse(letter) }],
    }));
    for (;;) {
      const isLastLook = signal.aborted;
      const found = (await open(facts, key)).replies.find((reply) => reply.id === id);
      if (found !== undefined || isLastLook) {
        const left = await change(facts, key, ({ letters, replies }) => ({
          letters: letters.filter((other) => other.id !== id),
          replies: replies.filter((other) => other.id !== id),
        }));
        return answerIn(left, id);
      }
      await news.next(signal);
    }
  }
}

/** When to look into a box again: at once where the store tells of changes, else ten times a second. */
function createNews(
  facts: Facts,
  key: string,
  clock: Clock,
): { next(signal: AbortSignal): Promise<void>; stop(): void } {
  let isNew = false;
  let wake: () => void = () => undefined;
  const unwatch = facts.watch?.(key, () => {
    isNew = true;
    wake();
  });
  return {
    async next(signal) {
      let cancel: () => void = () => undefined;
      if (!isNew && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = () => resolve();
          signal.addEventListener('abort', wake, { once: true });
          if (unwatch === undefined) cancel = clock.timer(LOOK_EVERY_MS, wake);
        });
      }
      cancel();
      signal.removeEventListener('abort', wake);
      isNew = false;
    },
    stop: () => unwatch?.(),
  };
}

/** What the box held for this letter in the moment when its owner cleared it. */
function answerIn({ letters, replies }: Box, id: string): LetterAnswer {
  const reply = replies.find((other) => other.id === id)?.reply;
  if (reply === undefined) {
    return { kind: letters.some((other) => other.id === id) ? 'taken-back' : 'unanswered' };
  }
  const failed = Failed.safeParse(reply);
  if (failed.success) throw new UnavailableError('not-done', failed.data.message);
  return { kind: 'replied', reply };
}

/**
 * Answers letters until it is stopped. Letters of before the start are thrown away.
 *
 * A letter is taken out before it is acted on: whatever fails, nothing is done twice. One that can't be done
 * is answered with `{ kind: 'failed', message }`.
 */
export function serveMailbox(
  facts: Facts,
  options: {
    readonly clock: Clock;
    readonly logger: Logger;
    readonly answer: (letter: Letter) => Promise<Json>;
    /** Whose box, where a workspace has several coordinators. */
    readonly of?: MemberId | undefined;
  },
): { stop(): Promise<void> } {
  const { clock, logger } = options;
  const key = boxOf(options.of);
  const news = createNews(facts, key, clock);
  const stopping = new AbortController();
  const serving = serve();

  async function serve(): Promise<void> {
    await change(facts, key, () => EMPTY).catch(failed);
    while (!stopping.signal.aborted) {
      await news.next(stopping.signal);
      if (!stopping.signal.aborted) await look().catch(failed);
    }
  }

  function failed(error: unknown): void {
    logger.error({ error }, 'mailbox not readable');
  }

  async function look(): Promise<void> {
    const { letters } = await open(facts, key);
    for (const { id, letter } of letters) {
      await change(facts, key, (box) => ({
        ...box,
        letters: box.letters.filter((other) => other.id !== id),
      }));
      const reply = await replyTo(letter);
      await change(facts, key, (box) => ({
        ...box,
        replies: [...box.replies, { id, reply }].slice(-KEPT_REPLIES),
      }));
    }
  }

  async function replyTo(letter: Json): Promise<Json> {
    const parsed = Letter.safeParse(letter);
    if (!parsed.success)
      return { kind: 'failed', message: 'Cannot read the letter: is it of another version?' };
    try {
      return await options.answer(parsed.data);
    } catch (error) {
      logger.error({ error, letter: parsed.data.kind }, 'letter not done');
      return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
    }
  }

  return {
    async stop() {
      stopping.abort();
      await serving;
      news.stop();
    },
  };
}

async function open(facts: Facts, key: string): Promise<Box> {
  return Box.safeParse(await facts.get(key)).data ?? EMPTY;
}

/** Answers what stood there before. */
async function change(facts: Facts, key: string, next: (box: Box) => Box): Promise<Box> {
  for (;;) {
    const stored = await facts.get(key);
    const box = Box.safeParse(stored).data ?? EMPTY;
    const changed = next(box);
    if (await facts.compareAndSet(key, stored, Json.parse(changed))) return box;
  }
}
