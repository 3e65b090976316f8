import * as z from 'zod';

/**
 * A thing that can be held, by its canonical name: `workspace`, `tree:src`, `path:src/a.ts`, `git:index`, `git:refs`,
 * `port:3000`, `net`, or a tool's own name such as `npm-cache`.
 */
export const Resource = z
  .string()
  .min(1)
  .max(4200)
  .refine((name) => !name.includes('\0') && (!isOnPath(name) || isCanonical(pathOf(name))), {
    error: 'A path in a resource is relative to the workspace and normalised',
  })
  .brand<'Resource'>();
export type Resource = z.infer<typeof Resource>;

export const WORKSPACE = 'workspace' as Resource;

/** The file or directory of that name, and (as a directory) everything below it. */
export function pathResource(path: string): Resource {
  return path === '.' ? WORKSPACE : Resource.parse(`path:${path}`);
}

/** The directory and everything below it. */
export function treeResource(path: string): Resource {
  return path === '.' ? WORKSPACE : Resource.parse(`tree:${path}`);
}

/**
 * The nodes of a resource, from the root down to itself, such as `['workspace', 'src', 'a.ts']`.
 *
 * A resource contains another when its nodes are a prefix of the other's. The git index and refs are inside the
 * workspace, because a command that may write everywhere may write them too.
 */
export function nodesOf(resource: Resource): readonly string[] {
  if (resource === 'workspace') return ['workspace'];
  if (isOnPath(resource)) return ['workspace', ...pathOf(resource).split('/')];
  if (resource.startsWith('git:')) return ['workspace', '.git', resource.slice('git:'.length)];
  const colon = resource.indexOf(':');
  return colon < 0 ? [resource] : [resource.slice(0, colon), resource.slice(colon + 1)];
}

/** Whether one of the two equals or contains the other. */
export function overlaps(a: Resource, b: Resource): boolean {
  const [shorter, longer] = [nodesOf(a), nodesOf(b)].toSorted((x, y) => x.length - y.length);
  return (shorter ?? []).every((node, depth) => node === longer?.[depth]);
}

function isOnPath(name: string): boolean {
  return name.startsWith('path:') || name.startsWith('tree:');
}

function pathOf(name: string): string {
  return name.slice('path:'.length);
}

function isCanonical(path: string): boolean {
  return path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}
