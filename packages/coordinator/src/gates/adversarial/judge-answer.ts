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
  const [, line = ''] = /^[ \t\r\n]{0,40}(ALLOW|DENY [1-9]\d?)[ \t\r\n]{0,40}$/.exec(answer) ?? [];
  if (line === 'ALLOW') return { kind: 'allow' };
  const [, number] = /^DENY ([1-9]\d?)$/.exec(line) ?? [];
  const index = Number(number) - 1;
  return number !== undefined && index < policies ? { kind: 'deny', index } : { kind: 'unclear' };
}
