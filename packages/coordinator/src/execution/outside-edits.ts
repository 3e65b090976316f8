import type { Clock, CommandRecord } from '@signalbox/core';

/** The kernel's clock for file times may lag this much; changes that commands made just before are known otherwise. */
const TICK_MS = 10;

/** Changes made by others under a command that was promised a stable tree. */
export type OutsideEdits = {
  /** Call before it commits anything itself; the first call counts. */
  editedPaths(): Promise<readonly string[]>;
};

/**
 * With `isolation: stable` no command writes while tests or builds run, but a person's editor may. Such edits are
 * reported, since the result then describes a tree that never existed.
 */
export function createOutsideEdits(options: {
  readonly isStable: boolean;
  readonly record: Pick<CommandRecord, 'verdict' | 'startedAt'>;
  readonly editedSince?: ((sinceMs: number) => Promise<readonly string[]>) | undefined;
  readonly clock: Pick<Clock, 'now'>;
}): OutsideEdits {
  const { editedSince, record, clock } = options;
  const { verdict } = record;
  const runsCode =
    verdict?.runsRepositoryCode === true || verdict?.effects.some(({ kind }) => kind === 'repository-code');
  const since = (record.startedAt ?? clock.now()) - TICK_MS;
  let seen: Promise<readonly string[]> | undefined;
  return {
    async editedPaths() {
      if (!options.isStable || runsCode !== true || editedSince === undefined) return [];
      return (seen ??= editedSince(since));
    },
  };
}
