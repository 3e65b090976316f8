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

export type StampScope = {
  /** Files and folders of the workspace with all that is below them; `.` is the workspace. */
  readonly paths: readonly string[];
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
   * reliable times, changes that are too recent for the kernel's clock, an abort.
   *
   * @param options.isBase Later stamps are compared with it: waits until any later change is certain to show, up to
   * some 20 ms after the last change. Without it the stamp is only good for a comparison with a base.
   */
  take(
    scope: StampScope,
    options: { readonly isBase: boolean; readonly signal?: AbortSignal },
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
