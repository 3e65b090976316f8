import * as z from 'zod';
import { HostPattern } from '../../network/host-pattern.ts';
import { Duration } from '../duration.ts';

/** Bounds of one command's process tree, by the names of settings (G4, S003-59). */
export const BOUNDS = {
  max_memory_mb: z.int().min(16).max(1_048_576),
  /** Percent of all the machine's processors together. */
  max_cpu_percent: z.int().min(1).max(100),
  /** Upper bound of every tool's own timeout. Waiting is not counted. */
  timeout_ms: Duration,
  max_processes: z.int().min(1).max(100_000),
  /** For one file that a command writes. */
  max_file_mb: z.int().min(1).max(1_048_576),
  /** For all writes of a command, when it runs on an overlay. */
  max_written_mb: z.int().min(1).max(1_048_576),
  /** Created files, folders and links, when it runs on an overlay. */
  max_written_files: z.int().min(1).max(10_000_000),
  max_open_files: z.int().min(16).max(1_048_576),
};

/** Which calls get the network: none, approved calls that name it, or every shell line. */
export const NetworkFor = z.enum(['none', 'approved', 'all']);

export const Hosts = z.array(HostPattern).max(1000);
