const MOST_NAMED = 3;

/** `a.ts, b.ts, c.ts and 2 more`. */
export function someOf(names: readonly string[]): string {
  const named = names.slice(0, MOST_NAMED).join(', ');
  return names.length <= MOST_NAMED ? named : `${named} and ${names.length - MOST_NAMED} more`;
}
