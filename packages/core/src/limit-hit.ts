import * as z from 'zod';

/** A limit of one command, by the name of its key below `sandbox.resource_limits`. */
export const LimitKey = z.enum([
  'max_memory_mb',
  'max_cpu_percent',
  'max_processes',
  'max_file_mb',
  'max_written_mb',
  'max_written_files',
  'max_open_files',
]);
export type LimitKey = z.infer<typeof LimitKey>;

/** A limit that a command reached. Both numbers have the unit of the setting: MiB, percent, or a count. */
export const LimitHit = z
  .strictObject({
    limit: LimitKey,
    allowed: z.number(),
    /** Null when it is not measured. */
    used: z.number().nullable(),
  })
  .readonly();
export type LimitHit = z.infer<typeof LimitHit>;
