import * as z from 'zod';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { answerWaiting } from '../run/answer-waiting.ts';

/** `signalbox approve p9ze`: shows what waits and takes the answer; with `--expect` answers without asking. */
export const approve = defineSubcommand({
  name: 'approve',
  args: z.object({ id: z.array(z.string()).default([]), expect: z.string().optional() }),
  run: ({ id, expect }, context) =>
    answerWaiting({ typed: id, expect, answer: { kind: 'approve' } }, context),
});
