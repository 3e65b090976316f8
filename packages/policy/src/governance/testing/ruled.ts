import type { Policy } from '../create-policy.ts';
import type { Question } from '../question.ts';

/** Kind and rule of a ruling in one text: `allow safe-auto`. */
export function ruled(policy: Policy, question: Question): string {
  const ruling = policy.rule(question);
  return `${ruling.kind} ${ruling.rule}`;
}
