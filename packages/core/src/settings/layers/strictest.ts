import { canonicalToolName, matchesTool } from '../tools/canonical-tool-name.ts';
import { coveredHosts } from '../../network/host-pattern.ts';
import { Duration } from '../duration.ts';
import { isGlob } from '../rules/path-pattern.ts';

/** How a shared file may change one of your values. */
export type Strictest = (
  own: unknown,
  shared: unknown,
) => { readonly value: unknown; readonly ignored: boolean };

/** The value that is later in the order, which goes from loose to strict. */
export function laterOf(...order: readonly unknown[]): Strictest {
  return (own, shared) => {
    const ignored = order.indexOf(own) > order.indexOf(shared);
    return { value: ignored ? own : shared, ignored };
  };
}

/** The lower number or shorter time; null is no bound. Without a value of yours the shared one applies. */
export const lowest: Strictest = (own, shared) => {
  const [mine, theirs] = [toNumber(own), toNumber(shared)];
  const ignored = mine < theirs;
  return { value: ignored ? own : shared, ignored };
};

/** The union of both lists: a shared file may add to what is denied or needs approval. */
export const union: Strictest = (own, shared) => ({
  value: [...new Set([...listOf(own), ...listOf(shared)])],
  ignored: false,
});

/** The intersection of both lists: a shared file may remove from what is allowed. */
export const common: Strictest = (own, shared) => {
  if (own === undefined) return { value: shared, ignored: false };
  const value = listOf(shared).filter((one) => listOf(own).includes(one));
  return { value, ignored: value.length < listOf(shared).length };
};

/** As {@link common}, for names of tools in any spelling, with stars. */
export const commonTools: Strictest = (own, shared) => {
  if (own === undefined || own === null) return { value: shared, ignored: false };
  const mine = listOf(own).map((name) => canonicalToolName(String(name)));
  const theirs = listOf(shared).map((name) => canonicalToolName(String(name)));
  const value = theirs.filter((name) =>
    mine.some((pattern) => pattern === name || matchesTool(pattern, name)),
  );
  return { value, ignored: value.length < theirs.length };
};

/** As {@link common}, for paths: of two nested paths the inner one. */
export const commonPaths: Strictest = (own, shared) => {
  if (own === undefined) return { value: shared, ignored: false };
  const mine = listOf(own).map(String);
  const theirs = listOf(shared).map(String);
  const kept = theirs.filter((path) => mine.some((outer) => isInside(path, outer)));
  const inner = mine.filter((path) => !kept.includes(path) && theirs.some((outer) => isInside(path, outer)));
  return {
    value: [...kept, ...inner],
    ignored: kept.length + inner.length === 0 || kept.length < theirs.length - inner.length,
  };
};

/** A path without workspace files: an empty list would mean that all may be read. */
const NOWHERE = '/dev/null';

/** As {@link commonPaths}, where an empty list means everything (S001-32). */
export const commonReads: Strictest = (own, shared) => {
  if (listOf(own).length === 0) return { value: shared, ignored: false };
  if (listOf(shared).length === 0) return { value: own, ignored: true };
  const both = commonPaths(own, shared);
  return listOf(both.value).length === 0 ? { value: [NOWHERE], ignored: true } : both;
};

/** The patterns of a shared file that yours cover; none if you have none. */
export const commonHosts: Strictest = (own, shared) => {
  if (!Array.isArray(own)) return { value: own, ignored: true };
  const value = coveredHosts(listOf(shared).map(String), own.map(String));
  return { value, ignored: value.length < listOf(shared).length };
};

/** The shared value has no effect. */
export const ownOnly: Strictest = (own) => ({ value: own, ignored: true });

/** The shared value applies only without one of yours. */
export const ownFirst: Strictest = (own, shared) =>
  own === undefined ? { value: shared, ignored: false } : { value: own, ignored: own !== shared };

function isInside(path: string, outer: string): boolean {
  if (outer === '.' || outer === '**' || path === outer) return true;
  // A `..` could lead out of the outer path.
  return (
    !isGlob(outer) &&
    !path.split('/').includes('..') &&
    path.startsWith(`${outer.replace(/(?<!\/)\/+$/, '')}/`)
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toNumber(value: unknown): number {
  const parsed = Duration.safeParse(value);
  if (parsed.success) return parsed.data;
  return typeof value === 'number' ? value : Number.POSITIVE_INFINITY;
}
