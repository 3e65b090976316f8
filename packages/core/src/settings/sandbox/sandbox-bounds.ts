import * as z from 'zod';
import { HostPattern } from '../../network/host-pattern.ts';
import { Duration } from '../duration.ts';

/** Bounds of one command's process tree, in the words of settings (G4, S003-59). */
export const BOUNDS = {
  max_memory_mb: z.int().min(16).max(1_048_576),
  /** Percent of all the machine's processors together. */
  max_cpu_percent: z.int().min(1).max(100),
  /** The upper bound of every tool's own time. Waiting is not counted. */
  timeout_ms: Duration,
  max_processes: z.int().min(1).max(100_000),
  /** Of one file that a command writes. */
  max_file_mb: z.int().min(1).max(1_048_576),
  /** Of all that a command writes, where it runs on an overlay. */
  max_written_mb: z.int().min(1).max(1_048_576),
  /** Files, folders and links that it makes, where it runs on an overlay. */
  max_written_files: z.int().min(1).max(10_000_000),
  max_open_files: z.int().min(16).max(1_048_576),
};

/** Who is given the network: nobody, calls that speak of it and were let through, or every shell line. */
export const NetworkFor = z.enum(['none', 'approved', 'all']);

export const Hosts = z.array(HostPattern).max(1000);
