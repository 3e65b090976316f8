import * as z from 'zod';
import { EXECUTION_TOPIC } from '../event.ts';

/** S003-61. The audit log is not among them: it can't be disabled. */
export const MonitoringSettings = z.strictObject({
  enable_metrics: z.boolean().default(true),
  log_all_commands: z.boolean().default(true),
  /** Beyond this size a part of the audit log becomes an archive beside it. */
  audit_file_max_mb: z.number().positive().max(100_000).default(64),
  /** On Redis, events are published on `{workspace}:` plus this; `members`, `facts` and the like are other channels. */
  pubsub_topic: z
    .string()
    .regex(
      /^(?!(?:members|facts|inbox|post|output)\b)[\w.:-]{1,128}$/,
      'letters, digits, "_", ".", ":" and "-", and no name of Signalbox\'s own channels',
    )
    .default(EXECUTION_TOPIC),
});
