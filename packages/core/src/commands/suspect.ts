import * as z from 'zod';

/**
 * A path or an id in a call that its model seems to have made up: it is neither in the workspace nor in the conversation
 * (P6, S001-123). Redacted.
 */
export const Suspect = z
  .strictObject({
    kind: z.enum(['path', 'id']),
    text: z.string(),
    /** Existing paths that may be meant, best first; at most three, none for an id. */
    nearest: z.array(z.string()).readonly(),
  })
  .readonly();
export type Suspect = z.infer<typeof Suspect>;
