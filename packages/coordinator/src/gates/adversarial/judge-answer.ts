/** What a judge's answer means. */
export type JudgeVerdict =
  | { readonly kind: 'allow' }
  /** `index`: of the violated policy, from 0. */
  | { readonly kind: 'deny'; readonly index: number }
  /** No verdict: the call is denied. */
  | { readonly kind: 'unclear' };

/** A longer answer is no verdict. */
const MAX_ANSWER = 40;

/** Exactly `ALLOW`, or `DENY` and the number of a policy; anything else is no verdict (S001-119). */
export function judgeVerdict(answer: string, policies: number): JudgeVerdict {
  if (answer.length > MAX_ANSWER) return { kind: 'unclear' };
  const found = /^[ \t\r\n]{0,40}(?:ALLOW|DENY ([1-9]\d?))[ \t\r\n]{0,40}$/.exec(answer);
  if (found === null) return { kind: 'unclear' };
  const [, number] = found;
  if (number === undefined) return { kind: 'allow' };
  return Number(number) <= policies ? { kind: 'deny', index: Number(number) - 1 } : { kind: 'unclear' };
}
