import * as z from 'zod';
import { CommandId, ProviderId } from './id.ts';

/** A command that the history has dropped, as people are told of it. */
export const ForgottenCommand = z
  .strictObject({
    id: CommandId,
    provider: ProviderId,
    why: z
      .array(z.string())
      .readonly()
      .describe('Which settings decide that, and what the audit log has of it'),
  })
  .readonly();
export type ForgottenCommand = z.infer<typeof ForgottenCommand>;
