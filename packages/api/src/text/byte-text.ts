const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** `41 KiB`, `1.2 GiB`. */
export function byteText(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`;
}
