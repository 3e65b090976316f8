import {
  type CallContext,
  type Failure,
  type JsonObject,
  redactsOnlyWords,
  type Tool,
} from '@signalbox/core';
import type { Redact } from '../command/command-result.ts';

/**
 * The refusal of a call whose approver and audit line would not show all that it runs, since redaction takes a part of
 * it for a secret: `: '-----BEGIN PRIVATE KEY-----'; git push`. Undefined: everything but single words is shown.
 *
 * Texts of files are data, and people know the lines they wrote.
 */
export function hiddenPart(
  { tool, args }: { readonly tool: Tool; readonly args: JsonObject },
  { context, redact }: { readonly context: Pick<CallContext, 'provider'>; readonly redact: Redact },
): Failure | undefined {
  const runsArgs = tool.shellLine !== undefined || tool.origin !== undefined;
  if (!runsArgs || context.provider === 'you' || redactsOnlyWords(args, redact.json(args))) return undefined;
  return {
    code: 'hidden-part',
    category: 'InvalidParameters',
    message: `Cannot call ${tool.name}: a part of it looks like a secret and has more than one word, so nobody could see what it runs`,
    suggestion:
      'Keep secrets and marks of private keys out of the call: name a variable or a file that holds them',
    visibility: 'visible',
  };
}
