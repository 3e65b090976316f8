import * as z from 'zod';
import { DurationArgument } from '../table/argument-schemas.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { answerWaiting } from '../../live/answer-waiting.ts';
import { SCOPES } from '../../runtime/rules/rule-draft.ts';

/**
 * `signalbox approve p9ze`: shows the pending approval and reads the answer; with `--expect` answers without a prompt.
 */
export const approve = defineSubcommand({
  name: 'approve',
  args: z.object({
    id: z.array(z.string()).default([]),
    expect: z.string().optional(),
    modify: z.string().min(1).optional(),
    edit: z.boolean().default(false),
    always: z.boolean().default(false),
    remember: z.boolean().default(false),
    for: z.enum(SCOPES).optional(),
    expires: DurationArgument.optional(),
    extend: DurationArgument.optional(),
  }),
  run: ({ id, expect, modify, edit, always, remember, for: scope, expires, extend }, context) =>
    answerWaiting(
      {
        typed: id,
        expect,
        answer: extend === undefined ? { kind: 'approve' } : { kind: 'extend', ms: extend },
        ...(modify === undefined ? {} : { line: modify }),
        edits: edit,
        ...(always || remember ? { always: { scope, endsInMs: expires } } : {}),
      },
      context,
    ),
});
