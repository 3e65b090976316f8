import type { ExecutionLimits } from '@signalbox/core';
import { machineMemoryBytes } from './machine-memory.ts';

/** What a command may write, where its limits do not say. */
export type WrittenBounds = {
  readonly writtenBytes: number;
  readonly writtenFiles: number;
};

/** What a command may make of files, folders and links in all. */
const MAX_NAMES = 500_000;

/** The limits with a bound for what is written. `inMemory`: what may lie in memory, which is the default bound. */
export function withWrittenBounds<Limits extends ExecutionLimits>(
  limits: Limits,
  inMemory: number,
): Limits & WrittenBounds {
  const { writtenBytes = inMemory, writtenFiles = MAX_NAMES } = limits;
  return { ...limits, writtenBytes, writtenFiles };
}

/** How much of the memory may be taken by files that a command writes. */
export function memoryForFiles(asked: number | undefined): number {
  return asked ?? Math.min(2 * 1024 ** 3, Math.floor(machineMemoryBytes() / 4));
}
