import { type Facts, type Logger, Resource, SessionId } from '@signalbox/core';
import * as z from 'zod';

export const StoredRefusal = z
  .strictObject({
    resource: Resource,
    /** The git refs; null: any ref, or not about refs. */
    refs: z.array(z.string()).nullable(),
    by: z.string(),
    /** Epoch milliseconds. */
    at: z.int(),
  })
  .readonly();
export type StoredRefusal = z.infer<typeof StoredRefusal>;

/**
 * The effects that people denied, by session, shared with the next process and with other coordinators of the
 * workspace.
 */
export type StoredRefusals = {
  /** Resolves when the entries of earlier processes and other coordinators are loaded. */
  readonly loaded: Promise<void>;
  of(session: SessionId): readonly StoredRefusal[];
  /** Applies at once here, and is stored in the background. */
  change(session: SessionId, change: Change): void;
};

type Change = (refusals: readonly StoredRefusal[]) => readonly StoredRefusal[];

/** The latest sessions, and the latest denials of each, are kept. */
const MAX_SESSIONS = 100;
const MAX_REFUSALS = 100;
/** Other coordinators write the same fact. */
const TRIES = 5;

const FACT = 'refused-effects';
const Stored = z.array(z.tuple([SessionId, z.array(StoredRefusal)]));
type Stored = z.infer<typeof Stored>;

export function createStoredRefusals({
  facts,
  logger,
}: {
  readonly facts: Facts;
  readonly logger: Pick<Logger, 'warn'>;
}): StoredRefusals {
  let stored: Stored = [];
  /** Changes that are not stored yet. */
  let pending: readonly (readonly [SessionId, Change])[] = [];
  let last: Promise<void> = load();

  /** Data stored by another version is ignored. */
  async function load(): Promise<void> {
    try {
      stored = Stored.catch([]).parse(await facts.get(FACT));
    } catch (error) {
      logger.warn({ error }, 'refusals not read; earlier ones no longer lead to approval requests');
    }
  }

  async function store(session: SessionId, change: Change): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      const before = await facts.get(FACT);
      const next = changed(Stored.catch([]).parse(before), session, change);
      if (!(await facts.compareAndSet(FACT, { expected: before, value: next }))) continue;
      stored = next;
      pending = pending.slice(1);
      return;
    }
    throw new Error('others write it all the time');
  }

  function after(work: () => Promise<void>): void {
    last = last.then(work).catch((error: unknown) => {
      logger.warn({ error }, 'refusal not stored; it counts in this process alone');
    });
  }

  facts.watch?.(FACT, () => after(load));

  return {
    get loaded() {
      return last;
    },
    of: (session) =>
      refusalsOf(
        pending.reduce((all, [of, change]) => changed(all, of, change), stored),
        session,
      ),
    change(session, change) {
      pending = [...pending, [session, change]];
      after(() => store(session, change));
    },
  };
}

function changed(all: Stored, session: SessionId, change: Change): Stored {
  const others = all.filter(([of]) => of !== session);
  const left = change(refusalsOf(all, session)).slice(-MAX_REFUSALS);
  return left.length === 0 ? others : [...others.slice(1 - MAX_SESSIONS), [session, [...left]]];
}

function refusalsOf(all: Stored, session: SessionId): readonly StoredRefusal[] {
  return all.find(([of]) => of === session)?.[1] ?? [];
}
