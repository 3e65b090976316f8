import * as z from 'zod';

/** How a process is stopped: `gently` asks first and leaves some time to clean up; `now` kills at once. */
export const CancelMode = z.enum(['gently', 'now']);
export type CancelMode = z.infer<typeof CancelMode>;
