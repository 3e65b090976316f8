import * as z from 'zod';
import { Duration } from './duration.ts';

/** How much runs and waits at once (F5, S003-60). */
export const ExecutionSettings = z.strictObject({
  /** `null`: as many as the machine has processors, at least 3. */
  max_concurrent_executions: z.int().min(1).max(1000).nullable().default(null),
  /** Of each provider. */
  max_queue_size: z.int().min(1).max(100_000).default(10),
  /** Commands that the history keeps at least, however old and large; the audit log keeps all. */
  execution_history_limit: z.int().min(1).max(10_000_000).default(1000),
  /** How old what the history and the copies for `undo` keep may be. */
  history_max_age: Duration.prefault('7d'),
  /** How large the history may be, the copies for `undo`, and the full texts of outputs: each. */
  history_max_mb: z.int().min(0).max(10_000_000).default(2048),
  /** How long a command may wait for others' leases before it is cancelled (S003-75). */
  max_wait: Duration.prefault('10m'),
});
