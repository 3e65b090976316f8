import * as z from 'zod';

/** Operational mode of a workspace (D1, S000-37). */
export const Mode = z.enum(['NORMAL', 'ALERT', 'DEGRADED', 'LOCKDOWN', 'RECOVERY']);
export type Mode = z.infer<typeof Mode>;

/** Longest timed mode; a longer time means a permanent one. */
export const LONGEST_MODE_MS = 30 * 86_400_000;

export const ALL_MODES: readonly Mode[] = Mode.options;
