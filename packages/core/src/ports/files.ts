import type { ContentHash, FileTouch } from '../files/file-touch.ts';
import type { FollowedPath } from '../files/follow-links.ts';
import type { CommandId } from '../id.ts';

export type TextFile = {
  readonly path: string;
  readonly text: string;
  readonly bytes: number;
  /** Hash of the whole file, also when only a part was read. */
  readonly hash: ContentHash;
};

export type FileEntry = {
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
  readonly bytes: number;
  /** Epoch ms of its last change, content or attributes, by the file system: no program can set it back. */
  readonly changedAt: number;
};

/** Required state of a path before a change: `absent`, or exactly that content. */
export type Expected = 'absent' | ContentHash;

export type ChangedFile = {
  readonly path: string;
  readonly kind: 'created' | 'modified' | 'deleted' | 'unchanged';
  readonly hash: ContentHash | null;
  readonly before: string | null;
};

/** Author of a change. */
export type Writer = {
  /** The replaced content is kept under this command, for {@link Files.undo}. */
  readonly commandId: CommandId;
  /** Called at the last moment: an error prevents the change. */
  readonly mayChange: () => Promise<void>;
};

/** Required state of the path before a write, and the author of the write. */
export type WriteOptions = { readonly expected: Expected; readonly by?: Writer | undefined };

/** One version of a file, as far as it can be shown. */
export type FileVersion =
  | { readonly kind: 'absent' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly bytes: number }
  /** It was replaced by something else and not kept: it was large, or one of very many. */
  | { readonly kind: 'unknown' };

/** A command's change to one file. */
export type KeptChange = {
  readonly path: string;
  readonly before: FileVersion;
  readonly after: FileVersion;
  /** Whether the file is still as the command left it. */
  readonly isCurrent: boolean;
  /** The file was edited or removed after the command, and not by a command. */
  readonly isByHand: boolean;
  /** That change removed it. */
  readonly isDeleted?: true;
};

export type UndoAnswer =
  | { readonly kind: 'undone'; readonly changes: readonly FileTouch[] }
  /** These paths are no longer what the command left: nothing more was undone. */
  | { readonly kind: 'changed-since'; readonly paths: readonly string[] }
  | { readonly kind: 'refused'; readonly why: readonly string[] };

/**
 * The files of the workspace, and nothing outside it: symbolic links are not followed, deny lists come first (G3,
 * X-08), every change is atomic and leaves the old or the new content after a kill at any point.
 *
 * Paths are relative to the workspace, or absolute and inside it.
 */
export interface Files {
  /**
   * The path as effects and leases name it: relative, normalised, `.` for the workspace. Does not touch the disk.
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
   * Differs after every change at the path: a cheap way to notice one before anything is read. `absent` if there is
   * nothing; `unseen` for a path outside the workspace and one that can't be looked at. Never throws.
   */
  stampOf(path: string): string;
  /**
   * The current target of a path through links, to judge it before it is opened; null when it is outside the workspace.
   */
  targetOf(path: string): string | null;
  /** The target of a path through links; nothing at the target is opened. */
  followLinks(path: string): Promise<FollowedPath>;
  /**
   * Writes a whole file; parent folders are created. Mode bits of a replaced file are kept (never set-user-id).
   *
   * @throws {StaleWriteError} when the current content is not `expected`: nothing was written.
   * @throws {ToolFailure} `path_not_allowed`, `not-a-file`, `disk-full`
   */
  write(path: string, text: string, options: WriteOptions): Promise<ChangedFile>;
  /** Deletes a file, or an empty directory. @throws as `write`, and `not-found`. */
  remove(path: string, expected: ContentHash | 'directory', by?: Writer): Promise<ChangedFile>;
  /** Changes of a command, by path; null when none are kept. Denied paths are left out. */
  changesOf(commandId: CommandId): Promise<readonly KeptChange[] | null>;
  /**
   * Undoes a command's changes, where files have not changed since; all or nothing, and kept like any change.
   *
   * @param options.isForced Later changes are overwritten too.
   * @param options.only Undoes only these of its files; the others stay. Default: all.
   * @throws {UsageError} `nothing-to-undo` when nothing is kept of that command.
   */
  undo(
    commandId: CommandId,
    options: { readonly isForced: boolean; readonly only?: readonly string[] | undefined },
    by?: Writer,
  ): Promise<UndoAnswer>;
  /**
   * Rolls back a partly applied command whose first roll-back failed; does nothing otherwise.
   *
   * @throws {SandboxError} when that still can't be done: it can be tried again.
   */
  takeBack(commandId: CommandId): Promise<void>;
}
