import type { ContentHash } from '../files/file-touch.ts';

/** The state of everything below some folders at one moment. */
export type TreeStamp = {
  /** Equal for two stamps of the same scope only if nothing in it has changed in between, by whomever. */
  readonly digest: string;
  /**
   * State of each entry, by its path: relative to the workspace, absolute outside it. Of a folder, the part after the
   * space changes when names in it do, and the part before it with everything else.
   */
  readonly states: ReadonlyMap<string, string>;
};

/** With everything below it, or only so many levels of folders: 1 is its own entries. */
export type StampPath = { readonly path: string; readonly depth?: number };

export type StampScope = {
  /** Files and folders of the workspace, `.` is the workspace; a missing one counts as absent. */
  readonly paths: readonly StampPath[];
  /** More are not compared. Default 100,000. */
  readonly maxEntries?: number;
  /** What a command sees besides the workspace; absent: it sees only those paths. */
  readonly surroundings?: {
    /** Its folders of programs, separated by `:`. Default: the executor's. */
    readonly path?: string | undefined;
    /** Paths below the home (`~/.cache/x`) that it may read. */
    readonly readableHome: readonly string[];
  };
};

/**
 * Tells whether files are still the same. It relies on times that no program can set back (ctime), so it also notices
 * an editor, another terminal, and a change that keeps size and modification time.
 */
export interface Stamps {
  /**
   * The present state of a scope; null when it can't be told for certain: too many entries, a file system without
   * reliable times, an abort.
   *
   * @param options.recent What happens if the scope changed within the last 20 ms: the next change might not show then,
   * so the stamp is no base for later comparisons. `wait`: until it would show. `refuse`: null. `accept`: for a stamp
   * that is only compared with an earlier one.
   */
  take(
    scope: StampScope,
    options: { readonly recent: 'wait' | 'refuse' | 'accept'; readonly signal?: AbortSignal },
  ): Promise<TreeStamp | null>;
  /**
   * Which paths of the workspace git ignores; a folder is asked for with a trailing `/`.
   *
   * @param gone Paths that may be removed.
   */
  ignored(gone: readonly string[]): Promise<(path: string) => boolean>;
  /** Hash of a file's bytes; null for anything else, or when it can't be read. */
  hashOf(path: string): Promise<ContentHash | null>;
}
