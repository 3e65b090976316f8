/** The workspace, absolute, and the home directory if it is known. */
export type PathContext = { readonly workspace: string; readonly home?: string | undefined };

/** Location of an effect's path. `path` of an inside one is relative to the workspace, `.` for itself. */
export type PathLocation =
  | { readonly kind: 'inside'; readonly path: string; readonly absolute: string }
  | { readonly kind: 'outside'; readonly absolute: string };

/** Canonicalises a path: `.`, `..` and doubled slashes resolved, by its text alone. */
export function locatePath(path: string, pathContext: PathContext): PathLocation {
  const absolute = absoluteOf(path, pathContext);
  // No system opens such a name: it is written to be read in two ways.
  if (path.includes('\0')) return { kind: 'outside', absolute };
  const workspace = normalise(pathContext.workspace);
  if (absolute === workspace) return { kind: 'inside', path: '.', absolute };
  const prefix = workspace === '/' ? '/' : `${workspace}/`;
  if (!absolute.startsWith(prefix)) return { kind: 'outside', absolute };
  return { kind: 'inside', path: absolute.slice(prefix.length), absolute };
}

/** `~` of an unknown home is outside every workspace. */
export function absoluteOf(path: string, { workspace, home }: PathContext): string {
  const [first = '', ...rest] = path.normalize('NFC').split('/');
  if (first === '') return normalise(rest.join('/'));
  if (first === '~') return normalise(`${home ?? '/~'}/${rest.join('/')}`);
  if (first.startsWith('~') && first.length > 1 && rest.length > 0) return normalise(`/~/${rest.join('/')}`);
  return normalise(`${workspace}/${path.normalize('NFC')}`);
}

function normalise(path: string): string {
  const segments: string[] = [];
  for (const segment of path.normalize('NFC').split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

/** The path and its parents: `a`, `a/b`, `a/b/c`. */
export function lineageOf(path: string): readonly string[] {
  const segments = path.split('/');
  return segments.map((_, depth) => segments.slice(0, depth + 1).join('/')).filter((above) => above !== '');
}
