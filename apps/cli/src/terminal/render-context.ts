import { clockTime } from '@signalbox/api';

// Re-exported so that drawing code finds all texts for times and numbers here.
export { clockTime, duration, plural } from '@signalbox/api';

/** What a view needs besides its data: a frame is a pure function of data, size and clock. */
export type RenderContext = Readonly<{
  /** Cells of a row; `Infinity` without a terminal: nothing is cut, ids are full. */
  width: number;
  /** Epoch milliseconds. */
  now: number;
  /** Added to UTC for displayed times. */
  utcOffsetMs: number;
}>;

/** `12:04:11` */
export function timeOfDay(at: number, render: Pick<RenderContext, 'utcOffsetMs'>): string {
  return new Date(at + render.utcOffsetMs).toISOString().slice(11, 19);
}

/** `2026-11-21 12:04:11` */
export function dateAndTime(at: number, render: Pick<RenderContext, 'utcOffsetMs'>): string {
  return new Date(at + render.utcOffsetMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** A clock: `0:41`, `12:04`, `2:03:44`; below 10 seconds with tenths: `0:04.2`. */
export function timer(ms: number): string {
  const tenths = Math.max(0, Math.floor(ms / 100));
  if (tenths < 100) return `0:0${Math.floor(tenths / 10)}.${tenths % 10}`;
  return clockTime(ms);
}

/** `$0.37`; `–` if the price is unknown. */
export function money(usd: number | null): string {
  if (usd === null) return '–';
  return usd > 0 && usd < 0.005 ? '<$0.01' : `$${usd.toFixed(2)}`;
}

/** `41.2k`, `7`, `1.2M` */
export function count(value: number): string {
  if (value < 1000) return String(value);
  return value < 999_950 ? `${(value / 1000).toFixed(1)}k` : `${(value / 1_000_000).toFixed(1)}M`;
}
