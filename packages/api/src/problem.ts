import * as z from 'zod';

/** The answer to a request that failed (RFC 9457, with what to do next). */
export const Problem = z
  .object({
    type: z.string().describe('`urn:signalbox:problem:` and the code'),
    title: z.string().describe('What could not be done, and why'),
    status: z.int().min(400).max(599),
    code: z.string().describe('For programs to switch on; its meaning never changes'),
    why: z.array(z.string()).readonly().describe('Facts behind it, one per entry'),
    next: z.array(z.string()).readonly().describe('What to do next'),
  })
  .readonly()
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;
