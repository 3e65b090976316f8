import { type Files, type Lease, LeaseLostError, type Scheduler } from '@signalbox/core';

/**
 * The same files, but every change asks first whether the lease under which it is made is still the living
 * one: a command that lost its lease commits nothing, however late it comes.
 */
export function fencedFiles(files: Files, scheduler: Scheduler, lease: Lease): Files {
  async function check(path: string): Promise<void> {
    if (await scheduler.isCurrent(lease)) return;
    throw new LeaseLostError(
      `Cannot change "${path}": lease ${lease.leaseId} (fencing token ${lease.fencingToken}) is gone`,
    );
  }

  return {
    ...files,
    async write(path, text, expected) {
      await check(path);
      return files.write(path, text, expected);
    },
    async remove(path, expected) {
      await check(path);
      return files.remove(path, expected);
    },
  };
}
