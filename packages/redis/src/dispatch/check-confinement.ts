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
    ...shared.map((folder) => `it was judged as having ${folder} to itself, and here that is everybody's`),
    ...(needs.sandboxed && layer === 'none' ? ['it was judged for a sandbox, and this worker has none'] : []),
    ...(needs.transactional && !(layer === 'overlay' && tracking.strength === 'enforced')
      ? ['it was judged as a transaction, and this worker runs commands on the workspace itself']
      : []),
  ];
  if (lacks.length === 0) return;
  throw new SandboxError('Cannot run this here: it would be confined less than it was judged for', {
    why: lacks,
    next: ['signalbox doctor, on the machine of the worker'],
  });
}
