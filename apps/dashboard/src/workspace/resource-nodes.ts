import { visible } from '@signalbox/core/visible-text';

/**
 * The path of a resource in the tree, from the root to itself: `path:src/a.ts` is `workspace`, `src`, `a.ts`.
 *
 * The same as core's `nodesOf`, verified by a test; that one would bring its schemas into the page.
 */
export function nodesOf(resource: string): readonly string[] {
  if (resource === 'workspace') return ['workspace'];
  const colon = resource.indexOf(':');
  if (colon < 0) return [resource];
  const [kind, name] = [resource.slice(0, colon), resource.slice(colon + 1)];
  if (kind === 'path' || kind === 'tree') return ['workspace', ...name.split('/')];
  return kind === 'git' ? ['workspace', '.git', name] : [kind, name];
}

/** Whether one is equal to or contains the other. */
export function overlaps(a: string, b: string): boolean {
  const [shorter = [], longer = []] = [nodesOf(a), nodesOf(b)].toSorted((x, y) => x.length - y.length);
  return shorter.every((node, depth) => node === longer[depth]);
}

/** For people: `src/a.ts`, `src/`, `the workspace`. */
export function resourceText(resource: string): string {
  if (resource === 'workspace') return 'the workspace';
  if (resource.startsWith('path:')) return visible(resource.slice('path:'.length));
  return visible(resource.startsWith('tree:') ? `${resource.slice('tree:'.length)}/` : resource);
}
