/** Units of a written duration, in milliseconds. */
export const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** As a file says it: `5m`, `90s`, `1500ms`. */
export function writtenDuration(ms: number): string {
  const [unit, length] = Object.entries(UNITS).findLast(([, each]) => ms >= each && ms % each === 0) ?? [
    'ms',
    1,
  ];
  return `${ms / length}${unit}`;
}
