import * as z from 'zod';

/** What a command did to one target through the gate of its network: all connections of one outcome together. */
export const NetworkUse = z
  .strictObject({
    /** As in a URL: `example.com:443`, `[::1]:80`; what was asked for, where it could not be read. */
    target: z.string(),
    outcome: z.enum(['reached', 'refused', 'failed']),
    /** Why it was refused or failed, or what was unusual of what was reached; else null. */
    why: z.string().nullable(),
    connections: z.int().min(1),
    sentBytes: z.int().min(0),
    receivedBytes: z.int().min(0),
  })
  .readonly();
export type NetworkUse = z.infer<typeof NetworkUse>;
