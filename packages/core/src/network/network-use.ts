import * as z from 'zod';

/** All connections of a command to one target with one outcome, through the gate of its network. */
export const NetworkUse = z
  .strictObject({
    /** As in a URL: `example.com:443`, `[::1]:80`; the requested text when it could not be parsed. */
    target: z.string(),
    outcome: z.enum(['reached', 'refused', 'failed']),
    /** Why it was refused or failed, or what was unusual about the target; otherwise null. */
    why: z.string().nullable(),
    connections: z.int().min(1),
    sentBytes: z.int().min(0),
    receivedBytes: z.int().min(0),
  })
  .readonly();
export type NetworkUse = z.infer<typeof NetworkUse>;
