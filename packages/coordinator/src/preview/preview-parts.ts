import type { Clock, Files, Inspector, Settings, WorkspaceLines } from '@signalbox/core';

/** The inputs of a call's preview. */
export type PreviewParts = {
  readonly inspector: Inspector;
  readonly files: Pick<Files, 'normalise' | 'readText' | 'followLinks'>;
  readonly clock: Clock;
  readonly lines: WorkspaceLines;
  readonly transactional: boolean;
  readonly settings: Pick<Settings, 'execution'>;
};
