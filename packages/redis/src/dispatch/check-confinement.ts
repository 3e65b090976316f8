import { type Isolation, SandboxError } from '@signalbox/core';
import type { ExecutionOrder } from './execution-order.ts';

/**
 * A call that was allowed because it would be confined must be confined.
 *
 * @throws {SandboxError} when this worker confines less than the call was judged for
 */
export function checkConfinement(
  { layer, tracking, ownFolders = [] }: Isolation,
  needs: ExecutionOrder['needs'],
): void {
  const shared = needs.ownFolders?.filter((folder) => !ownFolders.includes(folder)) ?? [];
  const lacks = [
    ...shared.map((folder) => `it was checked with a private ${folder}, which is shared here`),
    ...(needs.sandboxed && layer === 'none'
      ? ['it was checked for a sandbox, and this worker has none']
      : []),
    ...(needs.transactional && !(layer === 'overlay' && tracking.strength === 'enforced')
      ? ['it was checked as a transaction, and this worker runs commands on the workspace itself']
      : []),
  ];
  if (lacks.length === 0) return;
  throw new SandboxError('Cannot run this here: it would be less confined than when it was checked', {
    why: lacks,
    next: ['signalbox doctor, on the machine of the worker'],
  });
}
