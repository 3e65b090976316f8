import type { Ruling } from '@signalbox/core';
import type { Policy } from '../governance/create-policy.ts';
import type { Question } from '../governance/question.ts';

/** A recorded call that two policies judge differently. */
export type RulingChange<Id> = {
  readonly id: Id;
  readonly was: Ruling;
  readonly now: Ruling;
  /** Whether the draft lets through what was held back, or holds back what went through. */
  readonly turn: 'looser' | 'stricter';
};

/** An ask with two approvers is stricter than one with one. */
function strictnessOf(ruling: Ruling): number {
  if (ruling.kind === 'allow') return 0;
  return ruling.kind === 'ask' ? ruling.approvers : 3;
}

/**
 * Judges recorded calls by the present policy and by a draft, under the same circumstances, and reports the
 * differences.
 */
export function replay<Id>(
  recorded: readonly { readonly id: Id; readonly question: Question }[],
  policies: { readonly current: Policy; readonly draft: Policy },
): { readonly same: number; readonly changed: readonly RulingChange<Id>[] } {
  const changed = recorded.flatMap(({ id, question }): readonly RulingChange<Id>[] => {
    const was = policies.current.rule(question);
    const now = policies.draft.rule(question);
    const change = strictnessOf(now) - strictnessOf(was);
    return change === 0 ? [] : [{ id, was, now, turn: change < 0 ? 'looser' : 'stricter' }];
  });
  return { same: recorded.length - changed.length, changed };
}
