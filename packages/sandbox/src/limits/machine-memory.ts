import { totalmem } from 'node:os';

/** The memory of this machine, or of the container or control group that bounds this process. */
export function machineMemoryBytes(total = totalmem(), constrained = process.constrainedMemory()): number {
  // Without a bound some kernels answer 0, others a number beyond any machine.
  return constrained > 0 ? Math.min(total, constrained) : total;
}
