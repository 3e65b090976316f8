import type { ExecutionLimits, ExecutionRequest } from '@signalbox/core';
import { machineMemoryBytes } from './machine-memory.ts';

export type BoundedLimits = ExecutionLimits & { readonly memoryBytes: number };
export type BoundedRequest = ExecutionRequest & { readonly limits: BoundedLimits };

/** Adds this machine's default to a request without a memory limit. */
export function withMemoryBound(request: ExecutionRequest): BoundedRequest {
  const { memoryBytes = memoryLimitBytes() } = request.limits;
  return { ...request, limits: { ...request.limits, memoryBytes } };
}

/** The default memory limit of a command on this machine. */
export function memoryLimitBytes(): number {
  return defaultMemoryBytes(machineMemoryBytes());
}

const GIB = 1024 ** 3;

/** Half of the machine's memory; at least 4 GiB if that leaves 1 GiB for Signalbox and everything else. */
export function defaultMemoryBytes(machineBytes: number): number {
  return Math.floor(Math.max(machineBytes / 2, Math.min(4 * GIB, machineBytes - GIB)));
}
