import * as z from 'zod';
import { Duration } from './duration.ts';

/** How many commands run and wait at once (F5, S003-60). */
export const ExecutionSettings = z.strictObject({
  /** `null`: as many as the machine has processors, at least 3. */
  max_concurrent_executions: z.int().min(1).max(1000).nullable().default(null),
  /** Per provider. */
  max_queue_size: z.int().min(1).max(100_000).default(10),
  /** Number of commands that the history always keeps, at any age and size; the audit log keeps all. */
  execution_history_limit: z.int().min(1).max(10_000_000).default(1000),
  /** Maximum age of the history and of the copies for `undo`. */
  history_max_age: Duration.prefault('7d'),
  /** Maximum size of each of these: the history, the copies for `undo`, and the full texts of outputs. */
  history_max_mb: z.int().min(0).max(10_000_000).default(2048),
  /** How long a command may wait for leases of others before it is cancelled (S003-75). */
  max_wait: Duration.prefault('10m'),
});
