import { totalmem } from 'node:os';

/** The memory of this machine, or the limit of the container or control group of this process. */
export function machineMemoryBytes(total = totalmem(), constrained = process.constrainedMemory()): number {
  // Without a limit some kernels report 0, others a number beyond any machine.
  return constrained > 0 ? Math.min(total, constrained) : total;
}
