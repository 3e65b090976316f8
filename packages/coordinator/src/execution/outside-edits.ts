import type { Clock, CommandRecord } from '@signalbox/core';

/** The kernel stamps files by a clock that may be so much behind; what commands put just before is known otherwise. */
const TICK_MS = 10;

/** What others did to the tree under a command that was promised a still one. */
export type OutsideEdits = {
  /** Before it puts anything of its own; the first look counts. */
  look(): Promise<readonly string[]>;
};

/**
 * With `isolation: stable` no command writes while tests or builds run, but a person's editor may: that is told, since
 * the result then speaks of a tree that never stood so.
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
    async look() {
      if (!options.isStable || runsCode !== true || editedSince === undefined) return [];
      return (seen ??= editedSince(since));
    },
  };
}
