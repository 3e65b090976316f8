import * as z from 'zod';

/** What happened to files that were not to be kept: rolled back, or partly committed and stuck. */
export const Rollback = z.enum(['rolled_back', 'rollback_failed']);
export type Rollback = z.infer<typeof Rollback>;
