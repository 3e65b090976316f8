import * as z from 'zod';
import { Failure } from '../errors/failure.ts';

const failed = <Kind extends string>(kind: Kind) =>
  z.strictObject({ kind: z.literal(kind), failure: Failure }).readonly();

/** How a command ended. */
export const Outcome = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('completed') }).readonly(),
  /** It ran and did not succeed: a handler's failure, an exit code other than 0, no sandbox. */
  failed('failed'),
  /** Denied by a rule, a mode, a quota, a person or the expiry of an approval. It never ran. */
  failed('denied'),
  /** No rule, mode or approval can allow it. It never ran. */
  failed('blocked'),
  /** A file that it would have written is not the one that its session read. Nothing was written. */
  failed('conflict'),
  /** A person or its session ended it. */
  failed('cancelled'),
  failed('timed_out'),
  /** Its effects are unknown: its process was running when its coordinator or worker died. Never run again. */
  failed('lost'),
]);
export type Outcome = z.infer<typeof Outcome>;
export type OutcomeKind = Outcome['kind'];

/** A command's state in the words of specification 003. */
export type PublishedStatus =
  | 'pending'
  | 'queued'
  | 'running'
  | 'completed'
  | 'failed'
  | 'denied'
  | 'cancelled';

export function failureOf(outcome: Outcome): Failure | undefined {
  return outcome.kind === 'completed' ? undefined : outcome.failure;
}
