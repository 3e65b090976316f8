import type { CommitStep, PreviewFile, PreviewPart, PushStep } from '../preview.ts';

/** What a deletion would remove. */
export type Removal = Omit<Extract<PreviewPart, { kind: 'removal' }>, 'kind'>;
export type Difference = {
  readonly files: readonly PreviewFile[];
  readonly fileCount: number;
  readonly patch: string;
  readonly isCut: boolean;
};
export type PushForecast = Omit<Extract<PreviewPart, { kind: 'push' }>, 'kind'>;

/**
 * Looks up what a call would do, for the people who approve it. It only reads, runs nothing that the workspace or a
 * repository configures, and is bounded in time, entries and bytes.
 *
 * @throws {UnavailableError} from each method when it can't be told, with the reason as its message.
 */
export interface Inspector {
  /**
   * @param place.isMeant Of a pattern: which paths below `path` it means. Default: all.
   * @returns null when nothing is there.
   */
  removal(place: {
    readonly path: string;
    readonly isMeant?: (path: string) => boolean;
  }): Promise<Removal | null>;
  /** What `git commit`, or `git add` before it, would take. */
  commit(step: Omit<CommitStep, 'kind'>): Promise<Difference>;
  /** One for each ref that is pushed. */
  push(step: Omit<PushStep, 'kind'>): Promise<readonly PushForecast[]>;
}
