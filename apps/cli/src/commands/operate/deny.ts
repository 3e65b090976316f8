import * as z from 'zod';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { answerWaiting } from '../../live/answer-waiting.ts';

/** `signalbox deny p9ze -m "use the zod we have"`: the provider reads the reason; `--stop-session` ends its session. */
export const deny = defineSubcommand({
  name: 'deny',
  args: z.object({
    id: z.array(z.string()).default([]),
    message: z.string().optional(),
    expect: z.string().optional(),
    stopSession: z.boolean().default(false),
  }),
  run: ({ id, message, expect, stopSession }, context) => {
    const reason = message === undefined ? {} : { reason: message };
    const stopping = stopSession ? { stopsSession: true } : {};
    return answerWaiting({ typed: id, expect, answer: { kind: 'deny', ...reason, ...stopping } }, context);
  },
});
