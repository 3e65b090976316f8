import type { ExecutionLimits } from '@signalbox/core';
import { machineMemoryBytes } from './machine-memory.ts';

/** Default write limits of a command. */
export type WrittenBounds = {
  readonly writtenBytes: number;
  readonly writtenFiles: number;
};

/** Files, folders and links a command may create in all. */
const MAX_NAMES = 500_000;

/**
 * Adds default write limits.
 *
 * @param inMemory Bytes of files kept in memory, the default limit.
 */
export function withWrittenBounds<Limits extends ExecutionLimits>(
  limits: Limits,
  inMemory: number,
): Limits & WrittenBounds {
  const { writtenBytes = inMemory, writtenFiles = MAX_NAMES } = limits;
  return { ...limits, writtenBytes, writtenFiles };
}

/** How much memory a command's files may take. */
export function memoryForFiles(asked: number | undefined): number {
  return asked ?? Math.min(2 * 1024 ** 3, Math.floor(machineMemoryBytes() / 4));
}
