import type { ContentHash } from '../file-touch.ts';

export type TextFile = {
  readonly path: string;
  readonly text: string;
  readonly bytes: number;
  /** Of the whole file, also when a part was asked for. */
  readonly hash: ContentHash;
};

export type FileEntry = {
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
  readonly bytes: number;
  /** Epoch ms of its last change, content or attributes, by the file system: no program can set it back. */
  readonly changedAt: number;
};

/** What must stand at a path for a change to be made there: `absent`, or exactly that content. */
export type Expected = 'absent' | ContentHash;

export type Changed = {
  readonly path: string;
  readonly kind: 'created' | 'modified' | 'deleted' | 'unchanged';
  readonly hash: ContentHash | null;
  readonly before: string | null;
};

/**
 * The files of the workspace, and nothing outside it: no symbolic link is followed, deny lists come first
 * (G3, X-08), every change is atomic and lands old-or-new after a kill at any point.
 *
 * Paths are relative to the workspace, or absolute and inside it.
 */
export interface Files {
  /**
   * The path as effects and leases name it: relative, normalised, `.` for the workspace. Asks no disk.
   *
   * @throws {ToolFailure} `path_not_allowed` when it leaves the workspace.
   */
  normalise(path: string): string;
  /**
   * @throws {ToolFailure} `path_not_allowed`, `not-found`, `not-a-file`, `too-large` (over `maxBytes`,
   * default 10 MiB) or `not-text` (NUL bytes, or not UTF-8).
   */
  readText(path: string, options?: { readonly maxBytes?: number }): Promise<TextFile>;
  /** Sorted by path; depth 1 is the directory's own entries. Denied names are left out and counted. */
  list(
    path: string,
    options?: { readonly depth?: number; readonly limit?: number },
  ): Promise<{
    readonly entries: readonly FileEntry[];
    readonly truncated: boolean;
    readonly hidden: number;
  }>;
  stat(path: string): Promise<FileEntry | null>;
  /**
   * Writes a whole file; parents are made. Mode bits of a file that stood there are kept (never set-user-id).
   *
   * @throws {StaleWriteError} when what stands there is not `expected`: nothing was written.
   * @throws {ToolFailure} `path_not_allowed`, `not-a-file`, `disk-full`
   */
  write(path: string, text: string, expected: Expected): Promise<Changed>;
  /** @throws as `write`, and `not-found`. Deletes a file, or an empty directory. */
  remove(path: string, expected: ContentHash | 'directory'): Promise<Changed>;
}
