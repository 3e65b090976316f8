import { type CommandId, type CommandRecord, commitSubject, type ProviderId } from '@signalbox/core';
import { committedUntil, isCreatedAndRemoved } from './committed-until.ts';
import { changeTimes } from './change-times.ts';
import type { ReviewCheck } from './checks-of.ts';
import { type HiddenFiles, hiddenByIgnore, isIgnoreFile } from './hidden-by-ignore.ts';
import { hunksOf, withoutHunks } from './hunks-of.ts';
import { isOfHunk, undoneHunks, undonePaths } from './undone-by.ts';

/** A command's change of one file, as unified diff. */
export type ReviewedDiff = {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  readonly patch: string;
  /** Whether the file is still as the command left it. */
  readonly current: boolean;
  /** Whether it was edited since, but by no command. */
  readonly byHand: boolean;
  readonly deleted?: true | undefined;
};

/** One file as changed by one provider. */
export type ReviewFile = {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  /** Other providers that also changed it since the first of these changes. */
  readonly alsoChangedBy: readonly ProviderId[];
  /**
   * Whether the file is still as this provider left it: otherwise an undo would lose later changes, and is rejected.
   */
  readonly isCurrent: boolean;
  /** Whether this provider's result, or a part of it, was edited by hand. */
  readonly isByHand: boolean;
  /** The edit by hand deleted it. */
  readonly isDeleted?: true;
  /** Oldest first. */
  readonly changes: readonly (Omit<ReviewedDiff, 'path'> & {
    readonly command: CommandId;
    /** Heads of its hunks, in the order of `patch`; undone hunks are left out. */
    readonly hunks: readonly string[];
    /** Some of its hunks were undone: the others are undone one by one. */
    readonly isPartlyUndone: boolean;
    readonly title: string;
    readonly endedAt: number;
  })[];
};

export type Review = {
  readonly providers: readonly { readonly provider: ProviderId; readonly files: readonly ReviewFile[] }[];
  /** A first line for the commit message. */
  readonly message: string;
  readonly checks: readonly ReviewCheck[];
  /** Files that are not listed because a provider made git ignore them. */
  readonly hidden: readonly HiddenFiles[];
};

const MAX_SUBJECT = 72;

/**
 * The current changes in the workspace, by provider and file. Left out are changes that were undone or committed, by
 * anyone, git's own and ignored files, and files that one command created and another removed.
 *
 * @param all Commands, newest first, including undos and commits.
 * @param changed Those of them whose changes are kept.
 * @param git.isIgnored Caches and builds are not committed.
 * @param git.committedInGit The time (epoch ms) until which the changes of a path are in HEAD; null: git can't be
 * asked.
 */
export function reviewOf(
  all: readonly CommandRecord[],
  changed: readonly { readonly record: CommandRecord; readonly changes: readonly ReviewedDiff[] }[],
  git: {
    readonly isIgnored: (path: string) => boolean;
    readonly ignoredInHead: ReadonlySet<string>;
    readonly committedInGit: ReadonlyMap<string, number> | null;
  },
): Omit<Review, 'checks'> {
  const { isIgnored } = git;
  const isUndone = undonePaths(all);
  const hunksUndone = undoneHunks(all);
  const committedAt = committedUntil(all, git.committedInGit);
  const isGone = isCreatedAndRemoved(changed, committedAt);
  const changedAt = changeTimes(all);
  const hidden = hiddenByIgnore(changed, { all, isIgnored, ignoredInHead: git.ignoredInHead, isUndone });
  /** A cache may have one of its own; one that hides something is shown. */
  const isOfCache = (path: string): boolean =>
    git.ignoredInHead.has(path) && hidden.every(({ by }) => by !== path);
  const entries = changed
    .filter(({ record }) => record.call.tool !== 'undo')
    .toSorted((one, other) => (one.record.endedAt ?? 0) - (other.record.endedAt ?? 0))
    .flatMap(({ record, changes }) =>
      changes
        .filter(
          ({ path }) =>
            !isOfGit(path) &&
            (!isIgnored(path) || (isIgnoreFile(path) && !isOfCache(path))) &&
            !isGone(path) &&
            !isUndone(record.id, path),
        )
        // A commit reads its files under its lease, so it includes changes that ended before it.
        .filter(({ path }) => (record.endedAt ?? 0) > (committedAt.get(path) ?? -1))
        .flatMap((change) => {
          const undone = hunksUndone(record.id, change.path);
          if (undone.size === 0) return [{ record, change, isPartlyUndone: false }];
          const left = withoutHunks(change.patch, undone);
          const { patch, added, removed } = left;
          // A file left by the undo of a hunk counts as left by the command.
          const current = change.current || isLeftByHunkUndo(changed, record.id, { path: change.path });
          const byHand = change.byHand && !current;
          return left.isEmpty
            ? []
            : [
                {
                  record,
                  change: { ...change, patch, added, removed, current, byHand },
                  isPartlyUndone: true,
                },
              ];
        })
        .map((entry) => ({ ...entry, provider: record.context.provider })),
    );
  const isLastChange = (record: CommandRecord | undefined, path: string): boolean =>
    (record?.endedAt ?? 0) >= (changedAt.get(path) ?? 0);
  const byProvider = Map.groupBy(entries, ({ provider }) => provider);
  const providers = [...byProvider].map(([provider, own]) => ({
    provider,
    files: [...Map.groupBy(own, ({ change }) => change.path)]
      .map(([path, of]): ReviewFile => {
        const first = entries.findIndex((entry) => entry === of[0]);
        const others = entries.slice(first).filter((entry) => entry.change.path === path);
        return {
          path,
          added: sumOf(of, 'added'),
          removed: sumOf(of, 'removed'),
          alsoChangedBy: [...new Set(others.map((entry) => entry.provider))].filter(
            (one) => one !== provider,
          ),
          isCurrent: of.at(-1)?.change.current ?? false,
          ...byHandOf(of.at(-1), isLastChange(of.at(-1)?.record, path)),
          changes: of.map(({ record, change, isPartlyUndone }) => ({
            hunks: hunksOf(change.patch),
            isPartlyUndone,
            added: change.added,
            removed: change.removed,
            patch: change.patch,
            current: change.current,
            byHand: change.byHand,
            ...(change.deleted === true ? { deleted: true as const } : {}),
            command: record.id,
            title: record.title,
            endedAt: record.endedAt ?? 0,
          })),
        };
      })
      .toSorted((one, other) => (one.path < other.path ? -1 : 1)),
  }));
  return {
    providers,
    hidden,
    message: messageOf(
      changed.map(({ record }) => record),
      providers,
    ),
  };
}

export type FileUndo = {
  readonly command: CommandId;
  readonly paths: readonly string[];
  readonly hunk?: string;
};

/** The calls that undo files of one provider: newest command first, each with its own files. */
export function undosOf(files: readonly ReviewFile[]): readonly FileUndo[] {
  const all = files.flatMap(({ path, changes }) => changes.map((change) => ({ ...change, path })));
  return [...Map.groupBy(all, ({ command }) => command)]
    .toSorted(([, one], [, other]) => (other[0]?.endedAt ?? 0) - (one[0]?.endedAt ?? 0))
    .flatMap(([command, of]) => {
      const [partly, whole] = [
        of.filter((one) => one.isPartlyUndone),
        of.filter((one) => !one.isPartlyUndone),
      ];
      return [
        ...(whole.length === 0 ? [] : [{ command, paths: whole.map(({ path }) => path) }]),
        // From the last hunk on, so that the line numbers of earlier ones do not move.
        ...partly.flatMap(({ path, hunks }) =>
          hunks.toReversed().map((hunk) => ({ command, paths: [path], hunk })),
        ),
      ];
    });
}

/** Whether the file is still as an undo of a hunk of that change left it. */
function isLeftByHunkUndo(
  changed: readonly { readonly record: CommandRecord; readonly changes: readonly ReviewedDiff[] }[],
  command: CommandId,
  { path }: Readonly<{ path: string }>,
): boolean {
  return changed.some(
    ({ record, changes }) =>
      isOfHunk(record.call) &&
      record.call.args['command'] === command &&
      changes.some((change) => change.path === path && change.current),
  );
}

function sumOf(of: readonly { readonly change: ReviewedDiff }[], key: 'added' | 'removed'): number {
  return of.reduce((sum, { change }) => sum + change[key], 0);
}

/** The task, if all changes were made for the same one; otherwise the changed files. */
function messageOf(records: readonly CommandRecord[], providers: Review['providers']): string {
  const tasks = new Set(records.flatMap(({ context: { task } }) => task ?? []));
  const [task] = tasks;
  const line = task?.split('\n')[0]?.trim() ?? '';
  if (tasks.size === 1 && line !== '')
    return line.length <= MAX_SUBJECT ? line : `${line.slice(0, MAX_SUBJECT - 1)}…`;
  const paths = [...new Set(providers.flatMap(({ files }) => files.map(({ path }) => path)))];
  return commitSubject(paths);
}

export function isOfGit(path: string): boolean {
  return path.split('/').includes('.git');
}

/** @param isLast a command without a transaction keeps no copies, and is not an edit by hand */
function byHandOf(
  last: { readonly change: ReviewedDiff } | undefined,
  isLast: boolean,
): Pick<ReviewFile, 'isByHand' | 'isDeleted'> {
  const isByHand = last?.change.byHand === true && isLast;
  return { isByHand, ...(isByHand && last.change.deleted === true ? { isDeleted: true } : {}) };
}
