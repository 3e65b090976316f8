import * as z from 'zod';

/** Trouble that ends by itself and whose end can be detected: disk space, memory, the audit log. */
export const HealthProblem = z.enum(['disk', 'memory', 'audit']);
export type HealthProblem = z.infer<typeof HealthProblem>;

/** Why the mode comes back, in plain words, no full stop. */
export const TROUBLE_OVER: Readonly<Record<HealthProblem, string>> = {
  disk: 'the disk has free space again',
  memory: 'memory is available again',
  audit: 'the audit log can be written again',
};

/** What is wrong, in plain words, no full stop; undefined if nothing is wrong or it is unknown. */
export type CheckHealth = () => Promise<string | undefined>;
