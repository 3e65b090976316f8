/** A duration in its largest whole unit: `7 days`. */
export function ageText(ms: number): string {
  const [unit, size] = UNITS.find(([, one]) => ms >= one && ms % one === 0) ?? ['second', 1000];
  const count = ms / size;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Formats a number of MiB: `2 GiB`, `1.5 GiB`, `512 MiB`. */
export function mebibytesText(mebibytes: number): string {
  const gibibytes = mebibytes / 1024;
  return gibibytes < 1 ? `${mebibytes} MiB` : `${Math.round(gibibytes * 10) / 10} GiB`;
}
