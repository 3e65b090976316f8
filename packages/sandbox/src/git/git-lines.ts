import type { FileTouch } from '@signalbox/core';
import { bytesAt } from './bytes-at.ts';
import { parsePackedRefs } from './packed-refs.ts';

/** The content of a name below `.git` before and after; null if missing or not a small file. */
export type GitContents = {
  readonly before: (path: string) => string | null;
  readonly after: (path: string) => string | null;
};

const MAX_LINES = 50;
const MAX_BYTES = 8 * 1024 ** 2;
const SHORT_ID = 12;
const NONE: ReadonlyMap<string, string> = new Map();
/** Folders with many files, which are only counted. */
const COUNTED = /^(?:objects|logs)\//;

type Below = { readonly git: string; readonly within: string; readonly kind: FileTouch['kind'] };

/**
 * Lists changes below `.git`, one per line: refs and HEAD with old and new value, objects and logs as counts,
 * other files by name.
 */
export function gitLinesOf(touches: readonly FileTouch[], contents: GitContents): readonly string[] {
  const below = touches.flatMap(({ path, kind }): Below[] => {
    const [, git, within] = /^((?:.*?\/)?\.git)\/(.+)$/s.exec(path) ?? [];
    return git === undefined || within === undefined ? [] : [{ git, within, kind }];
  });
  const lines = [...Map.groupBy(below, ({ git }) => git)].flatMap(([git, changed]) => {
    const prefix = git === '.git' ? '' : `${git}: `;
    return linesOf(git, changed, contents).map((line) => `${prefix}${line}`);
  });
  const more = lines.length - MAX_LINES;
  return more > 0 ? [...lines.slice(0, MAX_LINES), `and ${more} more`] : lines;
}

function linesOf(git: string, changed: readonly Below[], contents: GitContents): readonly string[] {
  const counts = new Map<string, number>();
  const named: string[] = [];
  for (const { within, kind } of changed) {
    const counted = COUNTED.test(within) ? `${within.split('/')[0]} ${kind}` : null;
    if (counted !== null) counts.set(counted, (counts.get(counted) ?? 0) + 1);
    else if (!isRef(within)) named.push(`${within} ${kind}`);
  }
  return [
    ...refLinesOf(git, changed, contents),
    ...named,
    ...[...counts].map(([what, count]) => `${what}: ${count}`),
  ];
}

function isRef(within: string): boolean {
  return within === 'HEAD' || within.startsWith('refs/');
}

function refLinesOf(git: string, changed: readonly Below[], { before, after }: GitContents): string[] {
  const isPacked = changed.some(({ within }) => within === 'packed-refs');
  const loose = changed.filter(({ within }) => isRef(within)).map(({ within }) => within);
  if (!isPacked && loose.length === 0) return [];
  const packedBefore = parsePackedRefs(before(`${git}/packed-refs`) ?? '') ?? NONE;
  const packedAfter = isPacked ? (parsePackedRefs(after(`${git}/packed-refs`) ?? '') ?? NONE) : packedBefore;
  const inPacked = [...new Set([...packedBefore.keys(), ...packedAfter.keys()])].filter(
    (name) => packedBefore.get(name) !== packedAfter.get(name),
  );
  const touched = new Set(loose);
  return [...new Set([...loose, ...inPacked])].toSorted().flatMap((name) => {
    const own = before(`${git}/${name}`)?.trim() ?? null;
    const from = own ?? packedBefore.get(name) ?? null;
    const to = (touched.has(name) ? after(`${git}/${name}`)?.trim() : own) ?? packedAfter.get(name) ?? null;
    return from === to ? [] : [refLine(name, { from, to })];
  });
}

/** `refs/heads/main 1a2b3c4d5e6f → 0f1e2d3c4b5a` */
export function refLine(
  name: string,
  { from, to }: Readonly<{ from: string | null; to: string | null }>,
): string {
  return `${name} ${shown(from)} → ${shown(to)}`;
}

function shown(value: string | null): string {
  if (value === null) return 'none';
  const text = value.replace(/^ref: /, '');
  return /^[0-9a-f]{40,64}$/.test(text) ? text.slice(0, SHORT_ID) : text.slice(0, 200);
}

/** Reads a regular file of bounded size; null otherwise. Follows no link and never blocks. */
export function gitTextAt(path: string): string | null {
  return bytesAt(path, MAX_BYTES)?.toString('latin1') ?? null;
}
