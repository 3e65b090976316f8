import type { ExecutionLimits, ExecutionRequest } from '@signalbox/core';
import { machineMemoryBytes } from './machine-memory.ts';

export type BoundedLimits = ExecutionLimits & { readonly memoryBytes: number };
export type BoundedRequest = ExecutionRequest & { readonly limits: BoundedLimits };

/** The request with this machine's default where it names no memory limit. */
export function withMemoryBound(request: ExecutionRequest): BoundedRequest {
  const { memoryBytes = memoryLimitBytes() } = request.limits;
  return { ...request, limits: { ...request.limits, memoryBytes } };
}

/** What a command may use on this machine where nobody says otherwise. */
export function memoryLimitBytes(): number {
  return defaultMemoryBytes(machineMemoryBytes());
}

const GIB = 1024 ** 3;

/** Half of a machine; at least 4 GiB where 1 GiB is left beside that, for Signalbox and everything else. */
export function defaultMemoryBytes(machineBytes: number): number {
  return Math.floor(Math.max(machineBytes / 2, Math.min(4 * GIB, machineBytes - GIB)));
}
