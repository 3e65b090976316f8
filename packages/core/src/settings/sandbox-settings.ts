import * as z from 'zod';
import { PathPattern } from './path-pattern.ts';
import { Duration } from './duration.ts';

/** Bounds of one command's process tree (G4, S003-59). */
const ResourceLimits = z.strictObject({
  max_memory_mb: z.int().min(16).max(1_048_576).default(512),
  /** Percent of one processor. */
  max_cpu_percent: z.int().min(1).max(100_000).default(80),
  /** The upper bound of every tool's own time. Waiting is not counted. */
  timeout_ms: Duration.prefault(300_000),
  max_processes: z.int().min(1).max(100_000).default(256),
  /** Of one file that a command writes. */
  max_file_mb: z.int().min(1).max(1_048_576).default(1024),
  max_open_files: z.int().min(16).max(1_048_576).default(1024),
});

/** Where a command's process lives (S003-41, S003-58). */
export const SandboxSettings = z.strictObject({
  /** `false` counts from no file: only the operator's own flag on the command line switches confinement off. */
  enabled: z.boolean().default(true),
  /** Where shell lines begin, relative to the workspace; `null` is the workspace itself. */
  working_dir: z.string().min(1).nullable().default(null),
  /** Only below these may anything be read or written; the workspace is the hard bound in any case. */
  allowed_paths: z.array(PathPattern).min(1).default(['.']),
  /** Added to the clean environment of every shell line. */
  env_vars: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string()).default({}),
  resource_limits: ResourceLimits.prefault({}),
});
