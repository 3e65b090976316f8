import { isGlob, isWithin } from '@signalbox/core';
import { globMatches } from '../../shell/paths/glob-match.ts';
import { parsePathGlob, parsePathPrefix, type PathGlob } from './path-glob.ts';
import { absoluteOf, type PathContext, lineageOf, type PathLocation, locatePath } from './path-location.ts';

type Inside = Extract<PathLocation, { kind: 'inside' }>;

/** Denied paths of settings. */
export type DenyList = {
  /** The pattern that names this path or a directory above it. */
  find(location: Inside): string | undefined;
  /** A pattern that may name something below this directory; `certain` when it names a fixed path there. */
  findBelow(tree: Inside): { readonly pattern: string; readonly certain: boolean } | undefined;
  /** A pattern whose fixed path is among the matches of a shell pattern. */
  findMatched(shellPattern: Inside): string | undefined;
  /**
   * The same outside the workspace, for patterns other than relative globs. `certain` when one names this path, a
   * directory above it, or a fixed path below this `tree`.
   */
  findOutside(
    absolute: string,
    scope: PathListScope,
  ): { readonly pattern: string; readonly certain: boolean } | undefined;
};

/** `glob`: the directory that a shell pattern begins with. */
export type PathListScope = 'file' | 'tree' | 'glob';

/** Allowed paths of settings. */
export type AllowList = {
  admits(location: Inside): boolean;
  /** Whether it admits the directory and everything below it. */
  admitsAllBelow(tree: Inside): boolean;
  /** Whether it may admit something below the directory. */
  admitsSomeBelow(tree: Inside): boolean;
};

/**
 * Deny patterns ignore case, so that a case-insensitive file system can't be used to get around them, and what they
 * name is denied with everything below it. An unknown `$HOME` means any directory, and brackets and braces also mean
 * themselves (`app/[id]`): a deny list never fails open.
 */
export function createDenyList(patterns: readonly string[], pathContext: PathContext): DenyList {
  const entries = patterns.map((pattern) => compile(pattern, 'deny', pathContext));
  return {
    find(location) {
      const path = location.path.toLowerCase();
      const near = entries.filter((entry) => mayName(entry, path));
      if (near.length === 0) return undefined;
      const lineage = lineageOf(location.absolute).map((absolute) => subjectOf(absolute, pathContext));
      return near.find(({ names }) => lineage.some(names))?.pattern;
    },
    findBelow(tree) {
      const path = tree.path.toLowerCase();
      let uncertain: string | undefined;
      for (const { pattern, base, isPlain } of entries) {
        const isFixed = base !== undefined && base !== '.';
        if (isFixed && isWithin(base.toLowerCase(), path)) return { pattern, certain: true };
        const reaches = !isFixed || isWithin(path, base.toLowerCase());
        if (reaches && !isPlain) uncertain ??= pattern;
      }
      return uncertain === undefined ? undefined : { pattern: uncertain, certain: false };
    },
    findMatched(shellPattern) {
      const wanted = shellPattern.path.toLowerCase();
      return entries.find(
        ({ base }) =>
          base !== undefined &&
          base !== '.' &&
          lineageOf(base.toLowerCase()).some((path) => globMatches(wanted, path)),
      )?.pattern;
    },
    findOutside(absolute, scope) {
      const lineage = lineageOf(absolute).map((above) => subjectOf(above, pathContext));
      const path = absolute.toLowerCase();
      let uncertain: string | undefined;
      for (const { pattern, from, isPlain, names } of entries) {
        if (from === undefined) continue;
        if (lineage.some(names)) return { pattern, certain: true };
        if (scope === 'file') continue;
        const isBelow = isWithin(from.toLowerCase(), path);
        if (isBelow && scope === 'tree') return { pattern, certain: true };
        if (isBelow || (!isPlain && isWithin(path, from.toLowerCase()))) uncertain ??= pattern;
      }
      return uncertain === undefined ? undefined : { pattern: uncertain, certain: false };
    },
  };
}

/** A pattern with a fixed beginning matches only paths below it; one that climbs or escapes may match anything. */
function mayName({ pattern, base }: Entry, path: string): boolean {
  if (base === undefined || base === '.' || /\.\.|\\/.test(pattern)) return true;
  return isWithin(path, base.toLowerCase());
}

/** Allow patterns are exact: a plain path admits itself and everything below, a glob its matches. */
export function createAllowList(patterns: readonly string[], pathContext: PathContext): AllowList {
  const entries = patterns.map((pattern) => compile(pattern, 'allow', pathContext));
  return {
    admits: (location) => entries.some(({ names }) => names(location)),
    admitsAllBelow: (tree) => entries.some(({ coversBelow }) => coversBelow(tree)),
    admitsSomeBelow: (tree) => entries.some(({ reachesBelow }) => reachesBelow(tree)),
  };
}

/** Whether these patterns deny a path of the workspace, as those of `tools.file.deny_read` do. */
export function createPathDenial(
  patterns: readonly string[],
  pathContext: PathContext,
): (path: string) => boolean {
  const denied = createDenyList(patterns, pathContext);
  return (path) => {
    const location = locatePath(path, pathContext);
    return location.kind === 'inside' && denied.find(location) !== undefined;
  };
}

/** Whether one of the patterns of settings names a path of the workspace, or a directory above it. */
export function createPathMatcher(
  patterns: readonly string[],
  pathContext: PathContext,
): (path: string) => boolean {
  const list = createAllowList(patterns, pathContext);
  return (path) => {
    const location = locatePath(path, pathContext);
    return location.kind === 'inside' && list.admits(location);
  };
}

/** `path` is empty above the workspace. */
type Subject = { readonly path: string; readonly absolute: string };

type Entry = {
  readonly pattern: string;
  readonly isPlain: boolean;
  /** The fixed directory that the pattern begins with, relative to the workspace; undefined: it may be anywhere. */
  readonly base: string | undefined;
  /** The same, absolute; undefined for a relative glob, which matches only in the workspace. */
  readonly from: string | undefined;
  names(subject: Subject): boolean;
  coversBelow(tree: Subject): boolean;
  reachesBelow(tree: Subject): boolean;
};

type Kind = 'deny' | 'allow';

function compile(pattern: string, kind: Kind, pathContext: PathContext): Entry {
  const text = expandHome(pattern.normalize('NFC'), kind, pathContext);
  if (!isGlob(text)) return plainEntry(pattern, text, { pathContext, kind });
  const fold = folder(kind);
  const isAbsolute = text.startsWith('/');
  const globs = globsOf(fold(text.replace(/^(?:\.\/)+/, '')), kind);
  const fixed = fixedPart(text);
  const location = fixed === '' ? undefined : locatePath(fixed, pathContext);
  const directory = /^([^*?[\]{}\\]*)\/\*\*$/.exec(text)?.[1];
  const leadsBelow = parsePathPrefix(fold(text.replace(/^(?:\.\/)+/, '')));
  const all = directory === undefined ? undefined : plainEntry(pattern, directory, { pathContext, kind });
  return {
    pattern,
    isPlain: false,
    base: location?.kind === 'inside' ? location.path : undefined,
    from: isAbsolute ? absoluteOf(fixed === '' ? '/' : fixed, pathContext) : undefined,
    names(subject) {
      const name = fold(isAbsolute ? subject.absolute : subject.path);
      return name !== '' && globs.some((matches) => matches(name));
    },
    coversBelow: (tree) => text === '**' || (all?.coversBelow(tree) ?? false),
    reachesBelow(tree) {
      const name = fold(isAbsolute ? tree.absolute.slice(1) : tree.path);
      return name === '.' || leadsBelow(name);
    },
  };
}

/** A pattern that climbs with `..` or is too complicated matches nothing, or for a deny list everything. */
function globsOf(text: string, kind: Kind): readonly PathGlob[] {
  const glob = text.split('/').includes('..') ? undefined : parsePathGlob(text);
  if (kind === 'allow') return glob === undefined ? [] : [glob];
  const literal = parsePathGlob(text.replaceAll(/[[\]{}]/g, String.raw`\$&`));
  return glob === undefined || literal === undefined ? [() => true] : [glob, literal];
}

function plainEntry(
  pattern: string,
  text: string,
  { pathContext, kind }: Readonly<{ pathContext: PathContext; kind: Kind }>,
): Entry {
  const fold = folder(kind);
  const absolute = fold(absoluteOf(text, pathContext));
  const location = locatePath(text, pathContext);
  const names = (subject: Subject): boolean => isWithin(fold(subject.absolute), absolute);
  return {
    pattern,
    isPlain: true,
    base: location.kind === 'inside' ? location.path : undefined,
    from: location.absolute,
    names,
    coversBelow: names,
    reachesBelow: (tree) => names(tree) || isWithin(absolute, fold(tree.absolute)),
  };
}

function folder(kind: Kind): (text: string) => string {
  return kind === 'deny' ? (text) => text.toLowerCase() : (text) => text;
}

function subjectOf(absolute: string, pathContext: PathContext): Subject {
  const location = locatePath(absolute, pathContext);
  return { absolute, path: location.kind === 'inside' ? location.path : '' };
}

function expandHome(pattern: string, kind: Kind, { home }: PathContext): string {
  const rest = /^(?:~|\$HOME|\$\{HOME\})(\/.*)?$/.exec(pattern);
  if (rest === null) return pattern;
  if (home !== undefined) return `${home}${rest[1] ?? ''}`;
  return kind === 'deny' ? `/**${rest[1] ?? ''}` : `/~${rest[1] ?? ''}`;
}

function fixedPart(text: string): string {
  const fixed: string[] = [];
  for (const segment of text.split('/')) {
    if (isGlob(segment)) break;
    fixed.push(segment);
  }
  return fixed.join('/');
}
