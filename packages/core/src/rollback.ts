import * as z from 'zod';

/** What became of files that were not to be kept: taken back, or put in part and stuck there. */
export const Rollback = z.enum(['rolled_back', 'rollback_failed']);
export type Rollback = z.infer<typeof Rollback>;
