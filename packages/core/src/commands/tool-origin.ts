import * as z from 'zod';

/** Where a foreign tool comes from, for people. */
export const ToolOrigin = z
  .strictObject({
    server: z.string(),
    /** Its name on its server. */
    tool: z.string(),
    /** `in a sandbox, workspace read-only`. */
    confinement: z.string(),
    /** Whether it has fewer rights than the user who started Signalbox. */
    isConfined: z.boolean(),
  })
  .readonly();
export type ToolOrigin = z.infer<typeof ToolOrigin>;
