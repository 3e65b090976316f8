import * as z from 'zod';
import { CommandId } from './id.ts';

/** A command whose files could be neither committed nor taken back whole; what it claims stays held. */
export const StuckCommand = z.strictObject({
  command: CommandId,
  /** Epoch milliseconds. */
  since: z.number(),
  /** Why they could not be taken back the last time. */
  why: z.string(),
});
export type StuckCommand = z.infer<typeof StuckCommand>;
