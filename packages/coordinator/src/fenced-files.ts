import { type Files, LeaseLostError, type Scheduler } from '@signalbox/core';
import type { Hold } from './command/place.ts';

/**
 * The same files, but every change asks first whether the lease under which it is made is still the living
 * one: a command that lost its lease commits nothing, however late it comes.
 */
export function fencedFiles(
  files: Files,
  scheduler: Pick<Scheduler, 'isCurrent'>,
  hold: Pick<Hold, 'lease'>,
): Files {
  async function check(path: string): Promise<void> {
    const lease = hold.lease();
    if (lease !== undefined && (await scheduler.isCurrent(lease))) return;
    const which =
      lease === undefined ? 'its lease' : `lease ${lease.leaseId} (fencing token ${lease.fencingToken})`;
    throw new LeaseLostError(`Cannot change "${path}": ${which} is gone`);
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
