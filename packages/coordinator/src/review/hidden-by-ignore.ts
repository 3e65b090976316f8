import type { CommandRecord, ProviderId } from '@signalbox/core';

/** Changed files that git ignores because a `.gitignore` was changed. */
export type HiddenFiles = {
  /** The provider that changed it. */
  readonly provider: ProviderId;
  /** The `.gitignore`. */
  readonly by: string;
  readonly fileCount: number;
  /** The first of them, sorted. */
  readonly paths: readonly string[];
};

/** More are a build, and nobody reads that list. */
const MAX_PATHS = 20;

/**
 * @param changed Commands whose changes are kept, with the paths.
 * @param all Commands, including commits: a person has seen what they committed themselves.
 */
export function hiddenByIgnore(
  changed: readonly {
    readonly record: CommandRecord;
    readonly changes: readonly { readonly path: string }[];
  }[],
  {
    all,
    isIgnored,
    ignoredInHead,
    isUndone,
  }: {
    readonly all: readonly CommandRecord[];
    readonly isIgnored: (path: string) => boolean;
    /** Paths ignored by the last commit too: caches and builds. */
    readonly ignoredInHead: ReadonlySet<string>;
    readonly isUndone: (command: CommandRecord['id'], path: string) => boolean;
  },
): readonly HiddenFiles[] {
  const first = new Map<string, CommandRecord>();
  for (const { record, changes } of changed.toSorted((one, other) => endOf(one.record) - endOf(other.record)))
    for (const { path } of changes) {
      if (!isIgnoreFile(path) || isUndone(record.id, path) || record.call.tool === 'undo') continue;
      if (!first.has(path) && !isSeen(path, all, record)) first.set(path, record);
    }
  return [...first].flatMap(([by, change]) => {
    const folder = by.slice(0, by.lastIndexOf('/') + 1);
    const made = changed
      .flatMap(({ record }) => changedBy(record).filter((path) => !isUndone(record.id, path)))
      .filter((path) => path.startsWith(folder) && path !== by && !path.split('/').includes('.git'))
      .filter((path) => isIgnored(path) && !ignoredInHead.has(path));
    const paths = [...new Set(made)].toSorted();
    const { provider } = change.context;
    return paths.length === 0
      ? []
      : [{ provider, by, fileCount: paths.length, paths: paths.slice(0, MAX_PATHS) }];
  });
}

/** Files that these commands changed and git now ignores. */
export function ignoredAmong(
  changed: readonly { readonly record: CommandRecord }[],
  isIgnored: (path: string) => boolean,
): readonly string[] {
  return [...new Set(changed.flatMap(({ record }) => changedBy(record)))].filter(isIgnored);
}

function changedBy({ result }: CommandRecord): readonly string[] {
  return (result?.files ?? []).flatMap(({ kind, path }) =>
    kind === 'created' || kind === 'modified' ? [path] : [],
  );
}

/** Shown even if it ignores itself. */
export function isIgnoreFile(path: string): boolean {
  return path === '.gitignore' || path.endsWith('/.gitignore');
}

function isSeen(path: string, all: readonly CommandRecord[], change: CommandRecord): boolean {
  return all.some(({ call, context, result, endedAt }) => {
    const isCommit = context.provider === 'you' && call.tool === 'git_commit';
    const { paths } = call.args;
    const named = Array.isArray(paths) && paths.includes(path);
    return isCommit && named && result?.outcome.kind === 'completed' && (endedAt ?? 0) > endOf(change);
  });
}

function endOf({ endedAt }: CommandRecord): number {
  return endedAt ?? 0;
}
