import * as z from 'zod';
import { ErrorCategory, isRetryable } from './error-category.ts';
import { withoutInvisible } from '../text/visible-name.ts';

/**
 * Why a command did not complete, as data: the same object goes into the record, the audit line and, by {@link
 * formatForLlm}, to the model.
 */
export const Failure = z
  .strictObject({
    /** What code switches on: `stale-write`, `path_not_allowed`, `queue-full`, `sandbox_error` … (V4). */
    code: z.string(),
    category: ErrorCategory,
    /** What could not be done, and why; for the model and for people, no full stop. */
    message: z.string(),
    /** What to do next, one sentence. */
    suggestion: z.string().optional(),
    /** Facts behind the message, one a line: the diff of a stale write, the holders of a resource. */
    why: z.array(z.string()).readonly().optional(),
    /** Overrides what its category says: false for a limit that stays for more than a minute. */
    retryable: z.boolean().optional(),
    /** `hidden`: the model reads a general sentence and the command's id; the detail is in log and audit (V3, X-16). */
    visibility: z.enum(['visible', 'hidden']),
  })
  .readonly();
export type Failure = z.infer<typeof Failure>;

const DEFAULT_SUGGESTION: Readonly<Record<ErrorCategory, string>> = {
  ToolNotFound: 'Call one of the tools you were offered',
  InvalidParameters: 'Correct the arguments as the message says and call again',
  TypeMismatch: 'Give the arguments the types of the schema and call again',
  PolicyBlocked: 'Do not repeat this call; use another approach',
  ConfirmationRequired: 'A person has to approve this call; go on with other work',
  PermanentFailure: 'Do not repeat the same call; look at the message first',
  Cancelled: 'The call was cancelled; ask before you repeat it',
  RateLimited: 'Wait before you call again',
  ServerError: 'Try again a little later',
  NetworkError: 'Try again a little later',
  Timeout: 'Try again with less work in one call, or with a longer timeout',
};

/** The block that a model reads instead of a result (S001-97). */
export function formatForLlm(failure: Failure, commandId: string): string {
  const hidden = failure.visibility === 'hidden';
  const message = hidden ? `The tool failed inside Signalbox (command ${commandId})` : failure.message;
  const lines = [
    '[tool_error]',
    `category: ${failure.category}`,
    `message: ${oneLine(message)}`,
    `suggestion: ${oneLine(failure.suggestion ?? DEFAULT_SUGGESTION[failure.category])}`,
    `retryable: ${failure.retryable ?? isRetryable(failure.category)}`,
  ];
  if (!hidden && failure.why !== undefined && failure.why.length > 0) lines.push('', ...failure.why);
  return lines.join('\n');
}

/** A newline in a message must not forge another line of the block; a name in it may hold invisible characters. */
function oneLine(text: string): string {
  const [only = '', ...more] = text.split(/[\r\n\u2028\u2029]/);
  const row =
    more.length === 0
      ? only
      : [only, ...more]
          .map((part) => part.trim())
          .filter(Boolean)
          .join(' ');
  return withoutInvisible(row);
}
