import * as z from 'zod';

/** How a process is stopped: asked first, with some time to clean up; or killed at once. */
export const CancelMode = z.enum(['gently', 'now']);
export type CancelMode = z.infer<typeof CancelMode>;
