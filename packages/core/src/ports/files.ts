import type { ContentHash, FileTouch } from '../file-touch.ts';
import type { FollowedPath } from '../follow-links.ts';
import type { CommandId } from '../id.ts';

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

export type ChangedFile = {
  readonly path: string;
  readonly kind: 'created' | 'modified' | 'deleted' | 'unchanged';
  readonly hash: ContentHash | null;
  readonly before: string | null;
};

/** Who changes files. */
export type Writer = {
  /** What is replaced is kept under its name, for {@link Files.undo}. */
  readonly commandId: CommandId;
  /** Asked at the last moment: what it throws keeps the change from being made. */
  readonly mayChange: () => Promise<void>;
};

/** One version of a file, as far as it can be shown. */
export type FileVersion =
  | { readonly kind: 'absent' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly bytes: number }
  /** Somebody has replaced it, and it was not kept: it was large, or one of very many. */
  | { readonly kind: 'unknown' };

/** What a command changed of one file. */
export type KeptChange = {
  readonly path: string;
  readonly before: FileVersion;
  readonly after: FileVersion;
  /** Whether what it left stands there still. */
  readonly isCurrent: boolean;
  /** Somebody has edited or removed what it left, and no command did. */
  readonly isByHand: boolean;
  /** And what somebody did was to remove it. */
  readonly isDeleted?: true;
};

export type UndoAnswer =
  | { readonly kind: 'undone'; readonly changes: readonly FileTouch[] }
  /** These paths are no longer what the command left: nothing more was undone. */
  | { readonly kind: 'changed-since'; readonly paths: readonly string[] }
  | { readonly kind: 'refused'; readonly why: readonly string[] };

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
  /** Where a path leads through links now, for who judges it before it is opened; null where that is not in the workspace. */
  targetOf(path: string): string | null;
  /** Where a path leads through links; nothing there is opened. */
  followLinks(path: string): Promise<FollowedPath>;
  /**
   * Writes a whole file; parents are made. Mode bits of a file that stood there are kept (never set-user-id).
   *
   * @throws {StaleWriteError} when what stands there is not `expected`: nothing was written.
   * @throws {ToolFailure} `path_not_allowed`, `not-a-file`, `disk-full`
   */
  write(path: string, text: string, expected: Expected, by?: Writer): Promise<ChangedFile>;
  /** @throws as `write`, and `not-found`. Deletes a file, or an empty directory. */
  remove(path: string, expected: ContentHash | 'directory', by?: Writer): Promise<ChangedFile>;
  /** What a command changed, by path; null when nothing is kept of it. Denied paths are left out. */
  changesOf(commandId: CommandId): Promise<readonly KeptChange[] | null>;
  /**
   * Takes back what a command changed, where nobody has changed it since; all or nothing, and kept like any change.
   *
   * @param options.isForced Later changes are overwritten too.
   * @param options.only Of all that it changed, these files alone; the others stay. Default: all.
   * @throws {UsageError} `nothing-to-undo` when nothing is kept of that command.
   */
  undo(
    commandId: CommandId,
    options: { readonly isForced: boolean; readonly only?: readonly string[] | undefined },
    by?: Writer,
  ): Promise<UndoAnswer>;
  /**
   * Takes back what a command has put half-way, its roll-back having failed; does nothing where nothing is so.
   *
   * @throws {SandboxError} when that can't be done still: it can be tried again.
   */
  takeBack(commandId: CommandId): Promise<void>;
}
