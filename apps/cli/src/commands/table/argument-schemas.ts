import { ProviderId } from '@signalbox/core';
import * as z from 'zod';

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `60s`, `5m`, `1h`, `7d`: milliseconds. */
export const DurationArgument = z
  .string()
  .regex(/^\d{1,9}(ms|s|m|h|d)$/, { error: 'must be a length of time such as 30s, 5m, 1h or 7d' })
  .transform((text) => {
    const [, number, unit] = /^(\d+)(\D+)$/.exec(text) ?? [];
    return Number(number) * UNITS[unit as keyof typeof UNITS];
  });

/** A whole number from 1 on. */
export const CountArgument = z
  .string()
  .regex(/^[1-9]\d{0,6}$/, { error: 'must be a whole number, at least 1' })
  .transform(Number);

/** 0 runs first. */
export const PriorityArgument = z
  .string()
  .regex(/^(\d{1,3}|1000)$/, { error: 'must be a whole number from 0 (served first) to 1000' })
  .transform(Number);

export const ProviderArgument = z.string().transform((text, context) => {
  const parsed = ProviderId.safeParse(text);
  if (parsed.success) return parsed.data;
  context.addIssue({ code: 'custom', message: `"${text}" is not the name of a provider` });
  return z.NEVER;
});

/** The text after `--`. */
export const LineArgument = z.string().min(1);
