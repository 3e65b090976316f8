import { Approver, CallHash, type Clock, CommandId, type Facts, ProviderId } from '@signalbox/core';
import * as z from 'zod';

/** A person's answer to an expired approval. */
const LateAnswer = z
  .strictObject({
    /** Hash over the call and the files that it would touch. */
    callHash: CallHash,
    provider: ProviderId,
    /** The command that requested it. */
    command: CommandId,
    kind: z.enum(['approve', 'deny']),
    reason: z.string().optional(),
    /** Different people. */
    by: z.array(Approver).min(1).readonly(),
    at: z.number(),
  })
  .readonly();
export type LateAnswer = z.infer<typeof LateAnswer>;

const KEY = 'late-answers';
/** An unused answer is dropped after a day. */
const KEPT_MS = 24 * 3_600_000;
/** The latest answers are kept. */
const MAX_ANSWERS = 200;

/** Answers given after their approval had expired. The next identical call uses one up. */
export type LateAnswers = {
  /** Adds an answer. It replaces an earlier one to the same call, unless it is a second person's approval. */
  add(answer: Omit<LateAnswer, 'at'>): Promise<void>;
  /**
   * Returns and removes the answer to this call of that provider. @param approvers Different people that must have
   * approved.
   */
  take(question: {
    readonly callHash: CallHash;
    readonly provider: ProviderId;
    readonly approvers: number;
  }): Promise<LateAnswer | undefined>;
};

export function createLateAnswers(facts: Facts, clock: Pick<Clock, 'now'>): LateAnswers {
  /** Changes the list atomically, despite concurrent writers; `change` returns null to leave it unchanged. */
  async function update(
    change: (answers: readonly LateAnswer[]) => readonly LateAnswer[] | null,
  ): Promise<boolean> {
    for (;;) {
      const before = await facts.get(KEY);
      const known = z.array(LateAnswer).safeParse(before).data ?? [];
      const fresh = known.filter(({ at }) => clock.now() - at < KEPT_MS);
      const after = change(fresh);
      if (after === null) return false;
      const value = z.json().parse(JSON.parse(JSON.stringify(after.slice(-MAX_ANSWERS))));
      if (await facts.compareAndSet(KEY, { expected: before, value })) return true;
    }
  }

  return {
    async add(answer) {
      await update((answers) => {
        const earlier = answers.find((one) => isSame(one, answer));
        const others = answers.filter((one) => one !== earlier);
        const joins = earlier?.kind === 'approve' && answer.kind === 'approve';
        const by = joins
          ? [...earlier.by, ...answer.by.filter((one) => !isNamed(earlier.by, one))]
          : answer.by;
        return [...others, { ...answer, by, at: clock.now() }];
      });
    },

    async take({ approvers, ...question }) {
      let taken: LateAnswer | undefined;
      await update((answers) => {
        taken = answers.find(
          (one) => isSame(one, question) && (one.kind === 'deny' || one.by.length >= approvers),
        );
        return taken === undefined ? null : answers.filter((one) => one !== taken);
      });
      return taken;
    },
  };
}

function isSame(one: LateAnswer, other: Pick<LateAnswer, 'callHash' | 'provider'>): boolean {
  return one.callHash === other.callHash && one.provider === other.provider;
}

function isNamed(people: readonly Approver[], { name }: Approver): boolean {
  return people.some((one) => one.name.trim().toLowerCase() === name.trim().toLowerCase());
}
