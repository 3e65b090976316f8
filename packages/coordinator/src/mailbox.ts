import {
  type Approver,
  CallHash,
  type Clock,
  CommandId,
  type Facts,
  Json,
  JsonObject,
  Mode,
} from '@signalbox/core';
import * as z from 'zod';

const Person = z
  .strictObject({ name: z.string(), channel: z.enum(['terminal', 'cli', 'http', 'demo', 'test']) })
  .readonly();

/** What another process of the same machine asks of the running coordinator. */
export const Letter = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('cancel'), id: CommandId, by: z.string(), reason: z.string() }),
  z.strictObject({
    kind: z.literal('approve'),
    id: CommandId,
    by: Person,
    expect: CallHash,
    args: JsonObject.optional(),
  }),
  z.strictObject({
    kind: z.literal('deny'),
    id: CommandId,
    by: Person,
    expect: CallHash,
    reason: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal('mode'), mode: Mode, by: z.string(), reason: z.string() }),
]);
export type Letter = z.infer<typeof Letter>;
export type Person = Approver;

const Box = z.strictObject({
  letters: z.array(z.strictObject({ id: z.string(), letter: Letter })),
  replies: z.array(z.strictObject({ id: z.string(), reply: Json })),
});
type Box = z.infer<typeof Box>;

const KEY = 'mailbox';
const EMPTY: Box = { letters: [], replies: [] };
const LOOK_EVERY_MS = 100;
/** Replies that nobody fetched are dropped, oldest first. */
const KEPT_REPLIES = 50;

/**
 * Puts a letter into the mailbox of the workspace and waits for its reply.
 *
 * The store is the meeting place: whoever may write the workspace's state folder may ask, and commands in the
 * sandbox may not. `signal` ends the wait; the letter is then taken back if nobody has read it.
 */
export async function sendLetter(
  facts: Facts,
  letter: Letter,
  options: { readonly id: string; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Json | undefined> {
  const { id, clock, signal } = options;
  await change(facts, (box) => ({ ...box, letters: [...box.letters, { id, letter }] }));
  while (!signal.aborted) {
    const box = await open(facts);
    const found = box.replies.find((reply) => reply.id === id);
    if (found !== undefined) {
      await change(facts, (now) => ({ ...now, replies: now.replies.filter((reply) => reply.id !== id) }));
      return found.reply;
    }
    await new Promise<void>((resolve) => clock.timer(LOOK_EVERY_MS, resolve));
  }
  await change(facts, (box) => ({ ...box, letters: box.letters.filter((other) => other.id !== id) }));
  return undefined;
}

/** Answers letters until it is stopped; looks ten times a second. Letters of before the start are thrown away. */
export function serveMailbox(
  facts: Facts,
  clock: Clock,
  answer: (letter: Letter) => Promise<Json>,
): { stop(): Promise<void> } {
  let stopped = false;
  let cancel: () => void = () => undefined;
  let looking: Promise<void> = change(facts, () => EMPTY).then(() => later());

  function later(): void {
    if (stopped) return;
    cancel = clock.timer(LOOK_EVERY_MS, () => {
      looking = look()
        .catch(() => undefined)
        .then(later);
    });
  }

  async function look(): Promise<void> {
    const { letters } = await open(facts);
    for (const { id, letter } of letters) {
      const reply = await answer(letter);
      await change(facts, (box) => ({
        letters: box.letters.filter((other) => other.id !== id),
        replies: [...box.replies, { id, reply }].slice(-KEPT_REPLIES),
      }));
    }
  }

  return {
    async stop() {
      stopped = true;
      cancel();
      await looking;
    },
  };
}

async function open(facts: Facts): Promise<Box> {
  return Box.safeParse(await facts.get(KEY)).data ?? EMPTY;
}

async function change(facts: Facts, next: (box: Box) => Box): Promise<void> {
  for (;;) {
    const stored = await facts.get(KEY);
    const box = Box.safeParse(stored).data ?? EMPTY;
    const changed = next(box);
    if (await facts.compareAndSet(KEY, stored, Json.parse(changed))) return;
  }
}
