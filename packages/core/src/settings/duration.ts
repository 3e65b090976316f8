import * as z from 'zod';
import { isRecord } from './keys/settings-path.ts';
import { UNITS } from './written-duration.ts';

const WRITTEN = /^(\d{1,9})(ms|s|m|h|d)$/;

const MESSAGE = 'must be a length of time such as 30s, 5m or 1h, or a number of milliseconds';

/** A length of time: `5m`, `30s`, `1h`, `250ms`, `7d`, or a number of milliseconds. Parsed to milliseconds. */
export const Duration = z
  .union([z.int().min(0), z.string().regex(WRITTEN, { error: MESSAGE })], { error: MESSAGE })
  .transform(toMs);

function toMs(written: number | string): number {
  if (typeof written === 'number') return written;
  const [, count, unit] = WRITTEN.exec(written) ?? [];
  return Number(count) * UNITS[unit as keyof typeof UNITS];
}

/** Whether a JSON Schema is that of a {@link Duration}. */
export function isDurationSchema(schema: unknown): boolean {
  if (!isRecord(schema) || !Array.isArray(schema['anyOf'])) return false;
  return schema['anyOf'].some(
    (one: unknown) => isRecord(one) && (one['pattern'] === WRITTEN.source || isDurationSchema(one)),
  );
}
