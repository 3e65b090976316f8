import { type FileVersion, hunkHead, type KeptChange, quotedPath } from '@signalbox/core';
import { structuredPatch } from 'diff';

/** Change of one file: counts and a unified diff. */
export type ShownDiff = Readonly<{
  path: string;
  added: number;
  removed: number;
  /** In git's format; `Binary files differ` if a version is not text. */
  patch: string;
  /** Whether the file still has the content the command left. */
  current: boolean;
  /** Whether it was edited since, but not by a command. */
  byHand: boolean;
  /** And it no longer exists. */
  deleted?: true | undefined;
}>;

/** A diff of thousands of lines takes milliseconds; two hostile texts must not take minutes. */
const MAX_DIFF_MS = 500;

/** @param redact Removes secrets from names and texts before they are shown. */
export function fileDiff(change: KeptChange, redact: (text: string) => string): ShownDiff {
  const since = {
    current: change.isCurrent,
    byHand: change.isByHand,
    ...(change.isDeleted === true ? { deleted: true as const } : {}),
  };
  const path = redact(change.path);
  const [before, after] = [textOf(change.before, redact), textOf(change.after, redact)];
  const names = [
    change.before.kind === 'absent' ? '/dev/null' : quotedPath(`a/${path}`),
    change.after.kind === 'absent' ? '/dev/null' : quotedPath(`b/${path}`),
  ] as const;
  const head = `--- ${names[0]}\n+++ ${names[1]}`;
  if (before === null || after === null) {
    const why = change.after.kind === 'unknown' ? 'What it left is not kept' : 'Binary files differ';
    return { path, added: 0, removed: 0, patch: `${head}\n${why}`, ...since };
  }
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, timeout: MAX_DIFF_MS });
  if (patch === undefined) {
    return {
      path,
      added: 0,
      removed: 0,
      patch: `${head}\nThe two texts differ too much to show how`,
      ...since,
    };
  }
  const rows = patch.hunks.flatMap((hunk) => [hunkHead(hunk), ...hunk.lines]);
  const count = (mark: string): number => rows.filter((row) => row.startsWith(mark)).length;
  return { path, added: count('+'), removed: count('-'), patch: [head, ...rows].join('\n'), ...since };
}

function textOf(version: FileVersion, redact: (text: string) => string): string | null {
  if (version.kind === 'absent') return '';
  return version.kind === 'text' ? redact(version.text) : null;
}
