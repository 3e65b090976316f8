import {
  type CommandId,
  CommandId as CommandIdSchema,
  type CommandRecord,
  type ProviderId,
} from '@signalbox/core';

/** What a command did to one file, as unified diff. */
export type ReviewedDiff = {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  readonly patch: string;
  /** Whether the file is still as the command left it. */
  readonly current: boolean;
};

/** One file as one provider changed it. */
export type ReviewFile = {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  /** Other providers that changed it too, since the first of these changes. */
  readonly alsoChangedBy: readonly ProviderId[];
  /** Whether the file is still as this provider left it: else an undo would lose later changes, and is refused. */
  readonly isCurrent: boolean;
  /** Oldest first. */
  readonly changes: readonly (Omit<ReviewedDiff, 'path'> & {
    readonly command: CommandId;
    readonly title: string;
    readonly endedAt: number;
  })[];
};

export type Review = {
  readonly providers: readonly { readonly provider: ProviderId; readonly files: readonly ReviewFile[] }[];
  /** A first line for the commit message. */
  readonly message: string;
};

const MAX_SUBJECT = 72;

/**
 * What stands changed in the workspace, by provider and file. Changes that were undone are left out, and so is what git
 * keeps of its own.
 *
 * @param all Commands, the newest first, with the undos among them.
 * @param changed Those of them whose changes are kept.
 */
export function reviewOf(
  all: readonly CommandRecord[],
  changed: readonly { readonly record: CommandRecord; readonly changes: readonly ReviewedDiff[] }[],
): Review {
  const isUndone = undonePaths(all);
  const entries = changed
    .filter(({ record }) => record.call.tool !== 'undo')
    .toSorted((one, other) => (one.record.endedAt ?? 0) - (other.record.endedAt ?? 0))
    .flatMap(({ record, changes }) =>
      changes
        .filter(({ path }) => !isOfGit(path) && !isUndone(record.id, path))
        .map((change) => ({ record, change, provider: record.context.provider })),
    );
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
          changes: of.map(({ record, change }) => ({
            added: change.added,
            removed: change.removed,
            patch: change.patch,
            current: change.current,
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
    message: messageOf(
      changed.map(({ record }) => record),
      providers,
    ),
  };
}

/** The calls that undo files of one provider: the newest command first, each with its own of them. */
export function undosOf(
  files: readonly ReviewFile[],
): readonly { readonly command: CommandId; readonly paths: readonly string[] }[] {
  const all = files.flatMap(({ path, changes }) => changes.map((change) => ({ ...change, path })));
  return [...Map.groupBy(all, ({ command }) => command)]
    .toSorted(([, one], [, other]) => (other[0]?.endedAt ?? 0) - (one[0]?.endedAt ?? 0))
    .map(([command, of]) => ({ command, paths: of.map(({ path }) => path) }));
}

/** Of commands, newest first: which files an undo has restored that was not undone itself. */
function undonePaths(all: readonly CommandRecord[]): (command: CommandId, path: string) => boolean {
  const undone = new Set<string>();
  const keyOf = (command: string, path: string): string => `${command} ${path}`;
  for (const { id, call, result } of all) {
    if (call.tool !== 'undo' || result?.outcome.kind !== 'completed') continue;
    const target = CommandIdSchema.safeParse(call.args['command']);
    const paths = Array.isArray(call.args['paths']) ? call.args['paths'] : [];
    if (!target.success) continue;
    for (const path of paths) {
      if (typeof path !== 'string' || undone.has(keyOf(id, path))) continue;
      undone.add(keyOf(target.data, path));
    }
  }
  return (command, path) => undone.has(keyOf(command, path));
}

function sumOf(of: readonly { readonly change: ReviewedDiff }[], key: 'added' | 'removed'): number {
  return of.reduce((sum, { change }) => sum + change[key], 0);
}

/** The one task that all of it was done for, else what was changed. */
function messageOf(records: readonly CommandRecord[], providers: Review['providers']): string {
  const tasks = new Set(records.flatMap(({ context: { task } }) => task ?? []));
  const [task] = tasks;
  const line = task?.split('\n')[0]?.trim() ?? '';
  if (tasks.size === 1 && line !== '')
    return line.length <= MAX_SUBJECT ? line : `${line.slice(0, MAX_SUBJECT - 1)}…`;
  const paths = [...new Set(providers.flatMap(({ files }) => files.map(({ path }) => path)))];
  return paths.length === 1 ? `Change ${paths[0] ?? ''}` : `Change ${paths.length} files`;
}

function isOfGit(path: string): boolean {
  return path.split('/').includes('.git');
}
