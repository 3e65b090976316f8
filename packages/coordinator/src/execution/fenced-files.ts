import { type CommandId, type Files, LeaseLostError, type Scheduler, type Writer } from '@signalbox/core';
import type { Hold } from '../command/running/hold.ts';

/**
 * The files for one command: right before every change it checks that its lease is still the living one, so that a
 * command that lost its lease changes nothing, however late. Replaced content is kept under its id.
 */
export function fencedFiles(
  files: Files,
  scheduler: Pick<Scheduler, 'isCurrent'>,
  { commandId, hold }: { readonly commandId: CommandId; readonly hold: Pick<Hold, 'lease'> },
): Files {
  const by: Writer = {
    commandId,
    async mayChange() {
      const lease = hold.lease();
      if (lease !== undefined && (await scheduler.isCurrent(lease))) return;
      const which =
        lease === undefined ? 'its lease' : `lease ${lease.leaseId} (fencing token ${lease.fencingToken})`;
      throw new LeaseLostError(`Cannot change files of command ${commandId}: ${which} is gone`);
    },
  };
  return {
    ...files,
    write: (path, text, { expected }) => files.write(path, text, { expected, by }),
    remove: (path, expected) => files.remove(path, expected, by),
    undo: (undone, options) => files.undo(undone, options, by),
  };
}
