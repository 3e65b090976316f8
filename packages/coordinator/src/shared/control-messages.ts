import {
  Approver,
  CallHash,
  type Clock,
  CommandId,
  errorText,
  type Facts,
  Json,
  JsonObject,
  type Logger,
  type NodeId,
  SessionId,
  UnavailableError,
} from '@signalbox/core';
import * as z from 'zod';
import { CancelMode } from '../cancel-mode.ts';

/** A control request to another coordinator of a workspace: the one that leads a command, or a session. */
export const ControlMessage = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('cancel'),
    id: CommandId,
    by: z.string(),
    reason: z.string(),
    haste: CancelMode.exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('approve'),
    id: CommandId,
    by: Approver,
    expect: CallHash,
    /** Other arguments, and the hash of the approval request that was shown for them. */
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
    kind: z.literal('answer'),
    id: CommandId,
    by: Approver,
    expect: CallHash,
    text: z.string(),
  }),
  z.strictObject({
    kind: z.literal('extend'),
    id: CommandId,
    by: Approver,
    expect: CallHash,
    ms: z.int().positive(),
  }),
  /** Requests a preview of a pending call. */
  z.strictObject({ kind: z.literal('preview'), id: CommandId }),
  /** Adds an allow rule to the session of that command. */
  z.strictObject({ kind: z.literal('remember'), id: CommandId, rule: JsonObject }),
  z.strictObject({ kind: z.literal('forget'), rule: z.string() }),
  z.strictObject({ kind: z.literal('stop-session'), id: SessionId, by: z.string() }),
  z.strictObject({
    kind: z.literal('say-to-session'),
    id: SessionId,
    text: z.string(),
    by: z.string(),
    interrupts: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('compress-session'), id: SessionId, by: z.string() }),
]);
export type ControlMessage = z.infer<typeof ControlMessage>;

/** Requests are parsed one by one, so that one invalid request does not affect others. */
const Inbox = z.strictObject({
  messages: z.array(z.strictObject({ id: z.string(), message: Json })),
  replies: z.array(z.strictObject({ id: z.string(), reply: Json })),
});
type Inbox = z.infer<typeof Inbox>;

const Failed = z.strictObject({ kind: z.literal('failed'), message: z.string() });

function inboxOf(member: NodeId): string {
  return `control-messages:${member}`;
}

const EMPTY: Inbox = { messages: [], replies: [] };
const POLL_EVERY_MS = 100;
/** Replies that were not fetched are dropped, oldest first. */
const KEPT_REPLIES = 50;

export type MessageAnswer =
  | { readonly kind: 'replied'; readonly reply: Json }
  /** It was not read and never will be: nothing was done. */
  | { readonly kind: 'withdrawn' }
  /** It was taken, and no reply came in time: it may have been done. */
  | { readonly kind: 'unanswered' };

/**
 * Puts a request into another coordinator's inbox and waits for the reply. `signal` ends the wait; the request is then
 * withdrawn if it has not been read.
 *
 * @throws {UnavailableError} `not-done` when that coordinator could not do it.
 */
export async function sendMessage(
  facts: Facts,
  message: ControlMessage,
  options: {
    readonly id: string;
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly to: NodeId;
  },
): Promise<MessageAnswer> {
  const { id, clock, signal } = options;
  const key = inboxOf(options.to);
  const changes = watchInbox(facts, key, clock);
  try {
    return await exchange();
  } finally {
    changes.stop();
  }

  async function exchange(): Promise<MessageAnswer> {
    await change(facts, key, (inbox) => ({
      ...inbox,
      messages: [...inbox.messages, { id, message: Json.parse(message) }],
    }));
    for (;;) {
      const isLastRead = signal.aborted;
      const found = (await open(facts, key)).replies.find((reply) => reply.id === id);
      if (found !== undefined || isLastRead) {
        const left = await change(facts, key, ({ messages, replies }) => ({
          messages: messages.filter((other) => other.id !== id),
          replies: replies.filter((other) => other.id !== id),
        }));
        return answerIn(left, id);
      }
      await changes.next(signal);
    }
  }
}

/** When to read an inbox again: at once if the store reports changes, otherwise ten times a second. */
function watchInbox(
  facts: Facts,
  key: string,
  clock: Clock,
): { next(signal: AbortSignal): Promise<void>; stop(): void } {
  let hasChanged = false;
  let wake: () => void = () => undefined;
  const unwatch = facts.watch?.(key, () => {
    hasChanged = true;
    wake();
  });
  return {
    async next(signal) {
      let cancel: () => void = () => undefined;
      if (!hasChanged && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = () => resolve();
          signal.addEventListener('abort', wake, { once: true });
          if (unwatch === undefined) cancel = clock.timer(POLL_EVERY_MS, wake);
        });
      }
      cancel();
      signal.removeEventListener('abort', wake);
      hasChanged = false;
    },
    stop: () => unwatch?.(),
  };
}

/** The state of this request in the inbox just before its sender cleared it. */
function answerIn({ messages, replies }: Inbox, id: string): MessageAnswer {
  const reply = replies.find((other) => other.id === id)?.reply;
  if (reply === undefined) {
    return { kind: messages.some((other) => other.id === id) ? 'withdrawn' : 'unanswered' };
  }
  const failed = Failed.safeParse(reply);
  if (failed.success) throw new UnavailableError('not-done', failed.data.message);
  return { kind: 'replied', reply };
}

/**
 * Handles requests until it is stopped. Requests from before the start are dropped.
 *
 * A request is removed before it is performed: whatever fails, nothing is done twice. One that can't be done is
 * answered with `{ kind: 'failed', message }`.
 */
export function serveMessages(
  facts: Facts,
  options: {
    readonly clock: Clock;
    readonly logger: Logger;
    readonly answer: (message: ControlMessage) => Promise<Json>;
    /** Owner of the inbox. */
    readonly of: NodeId;
  },
): { stop(): Promise<void> } {
  const { clock, logger } = options;
  const key = inboxOf(options.of);
  const changes = watchInbox(facts, key, clock);
  const stopping = new AbortController();
  const serving = serve();

  async function serve(): Promise<void> {
    await change(facts, key, () => EMPTY).catch(failed);
    while (!stopping.signal.aborted) {
      await changes.next(stopping.signal);
      if (!stopping.signal.aborted) await poll().catch(failed);
    }
  }

  function failed(error: unknown): void {
    logger.error({ error }, 'control messages not readable');
  }

  async function poll(): Promise<void> {
    const { messages } = await open(facts, key);
    for (const { id, message } of messages) {
      await change(facts, key, (inbox) => ({
        ...inbox,
        messages: inbox.messages.filter((other) => other.id !== id),
      }));
      const reply = await replyTo(message);
      await change(facts, key, (inbox) => ({
        ...inbox,
        replies: [...inbox.replies, { id, reply }].slice(-KEPT_REPLIES),
      }));
    }
  }

  async function replyTo(message: Json): Promise<Json> {
    const parsed = ControlMessage.safeParse(message);
    if (!parsed.success)
      return { kind: 'failed', message: 'Cannot read the message: is it of another version?' };
    try {
      return await options.answer(parsed.data);
    } catch (error) {
      logger.error({ error, kind: parsed.data.kind }, 'control message not done');
      return { kind: 'failed', message: errorText(error) };
    }
  }

  return {
    async stop() {
      stopping.abort();
      await serving;
      changes.stop();
    },
  };
}

async function open(facts: Facts, key: string): Promise<Inbox> {
  return Inbox.safeParse(await facts.get(key)).data ?? EMPTY;
}

/** Returns the previous content. */
async function change(facts: Facts, key: string, next: (inbox: Inbox) => Inbox): Promise<Inbox> {
  for (;;) {
    const stored = await facts.get(key);
    const inbox = Inbox.safeParse(stored).data ?? EMPTY;
    const changed = next(inbox);
    if (await facts.compareAndSet(key, { expected: stored, value: Json.parse(changed) })) return inbox;
  }
}
