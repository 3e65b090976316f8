/** Upper bound on the wait, in milliseconds: a day. */
const MAX_MS = 86_400_000;

/**
 * Reads the requested wait in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as a date (RFC
 * 9110, 10.2.3). Undefined when there is none or it can't be parsed.
 */
export function retryAfterMs(headers: Headers | undefined, now: number): number | undefined {
  const exact = milliseconds(headers?.get('retry-after-ms'), 1);
  if (exact !== undefined) return exact;
  const value = headers?.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  const seconds = milliseconds(value, 1000);
  if (seconds !== undefined) return seconds;
  // Only an HTTP date: `Date.parse` would also read `-5` as a year.
  const at = /^[A-Za-z]/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : bounded(at - now);
}

function milliseconds(text: string | null | undefined, unit: number): number | undefined {
  return text != null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? bounded(Number(text) * unit) : undefined;
}

function bounded(ms: number): number {
  return Math.min(Math.max(Math.ceil(ms), 0), MAX_MS);
}
