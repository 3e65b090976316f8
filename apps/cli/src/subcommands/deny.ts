import * as z from 'zod';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { answerWaiting } from '../run/answer-waiting.ts';

/** `signalbox deny p9ze -m "use the zod we have"`: the provider reads the reason. */
export const deny = defineSubcommand({
  name: 'deny',
  args: z.object({
    id: z.array(z.string()).default([]),
    message: z.string().optional(),
    expect: z.string().optional(),
  }),
  run: ({ id, message, expect }, context) =>
    answerWaiting(
      { typed: id, expect, answer: { kind: 'deny', ...(message === undefined ? {} : { reason: message }) } },
      context,
    ),
});
