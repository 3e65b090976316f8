/** The first letters that a screen shows: `cmd_m2qdw8x0k4tz` → `m2qd`. */
export function shortId(id: string, length = 4): string {
  return id.slice(id.indexOf('_') + 1).slice(0, length);
}
