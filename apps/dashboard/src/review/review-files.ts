import type { ReviewView, ReviewFileView } from '@signalbox/api';

/** One file as changed by one provider; `key` differs after another change. */
export type FileToReview = Readonly<{
  key: string;
  provider: string;
  file: ReviewFileView;
  hunks: readonly HunkToReview[];
}>;

export type HunkToReview = Readonly<{
  key: string;
  /** The command that changed it. */
  command: string;
  path: string;
  head: string;
  /** The hunk alone, as a patch. */
  patch: string;
}>;

/** One undo request. */
export type UndoToSend = Readonly<{ command: string; paths: readonly string[]; hunk?: string }>;

export function filesOf({ providers }: ReviewView): readonly FileToReview[] {
  return providers.flatMap(({ provider, files }) =>
    files.map((file) => ({
      key: `${provider} ${file.path} ${file.changes.map(({ command }) => command).join(' ')}`,
      provider,
      file,
      hunks: hunksOf(file),
    })),
  );
}

/** Each hunk of each change, oldest change first. */
function hunksOf({ path, changes }: ReviewFileView): readonly HunkToReview[] {
  return changes.flatMap(({ command, patch }) => {
    const rows = patch.split('\n');
    // Two rows name the file.
    const starts = rows.flatMap((row, at) => (at >= 2 && row.startsWith('@@ ') ? [at] : []));
    return starts.map((start, n) => ({
      key: `${command} ${path} ${rows[start]}`,
      command,
      path,
      head: rows[start] ?? '',
      patch: [...rows.slice(0, 2), ...rows.slice(start, starts[n + 1] ?? rows.length)].join('\n'),
    }));
  });
}

/**
 * The requests that undo these files: the newest change first, and for a partly undone one each remaining hunk, from
 * the last to the first, so that earlier line numbers stay valid.
 */
export function undosOf(files: readonly FileToReview[]): readonly UndoToSend[] {
  const changes = files.flatMap(({ file, hunks }) =>
    file.changes.map((change) => ({
      ...change,
      path: file.path,
      own: hunks.filter(({ command }) => command === change.command),
    })),
  );
  return [...Map.groupBy(changes, ({ command }) => command)]
    .toSorted(([, [one]], [, [other]]) => (other?.endedAt ?? 0) - (one?.endedAt ?? 0))
    .flatMap(([command, of]) => {
      const whole = of.filter(({ isPartlyUndone }) => !isPartlyUndone).map(({ path }) => path);
      const hunks = of.flatMap(({ isPartlyUndone, own }) => (isPartlyUndone ? own.toReversed() : []));
      return [
        ...(whole.length === 0 ? [] : [{ command, paths: whole }]),
        ...hunks.map(({ path, head }) => ({ command, paths: [path], hunk: head })),
      ];
    });
}

export function isKept({ key, hunks }: FileToReview, kept: ReadonlySet<string>): boolean {
  return kept.has(key) || (hunks.length > 0 && hunks.every((hunk) => kept.has(hunk.key)));
}
