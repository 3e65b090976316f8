const DAY_MS = 86_400_000;

/** How long a rule may last; null: until it is removed. */
export const RULE_ENDS = [
  ['', 'Until removed'],
  ['1', 'One day'],
  ['7', 'A week'],
  ['30', '30 days'],
] as const;

const END = /^ {4}expires: .*\n/m;

/** The same rule with that expiry, inserted after its first line. */
export function withEnd(text: string, days: string, { now }: Readonly<{ now: number }>): string {
  const endless = text.replace(END, '');
  if (days === '') return endless;
  const at = new Date(now + Number(days) * DAY_MS).toISOString().replace(/\.\d+Z$/, 'Z');
  return endless.replace(/^( {2}- id: .*\n)/m, `$1    expires: ${at}\n`);
}
