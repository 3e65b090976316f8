import * as z from 'zod';

/** Operational mode of a workspace (D1, S000-37). */
export const Mode = z.enum(['NORMAL', 'ALERT', 'DEGRADED', 'LOCKDOWN', 'RECOVERY']);
export type Mode = z.infer<typeof Mode>;

export const ALL_MODES: readonly Mode[] = Mode.options;
