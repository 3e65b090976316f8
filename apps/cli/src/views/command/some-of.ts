const MAX_NAMED = 3;

/** `a.ts, b.ts, c.ts and 2 more`. */
export function someOf(names: readonly string[]): string {
  const named = names.slice(0, MAX_NAMED).join(', ');
  return names.length <= MAX_NAMED ? named : `${named} and ${names.length - MAX_NAMED} more`;
}
