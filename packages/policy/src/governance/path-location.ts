/** The workspace, absolute, and the home directory where it is known. */
export type PathContext = { readonly workspace: string; readonly home?: string | undefined };

/** Where a path of an effect lies. `path` of an inside one is relative to the workspace, `.` for itself. */
export type PathLocation =
  | { readonly kind: 'inside'; readonly path: string; readonly absolute: string }
  | { readonly kind: 'outside'; readonly absolute: string };

/** Finds the one name of a path: `.`, `..` and doubled slashes resolved, by its text alone. */
export function locatePath(path: string, pathContext: PathContext): PathLocation {
  const absolute = absoluteOf(path, pathContext);
  // No system opens such a name: whoever writes it means to be read in two ways.
  if (path.includes('\0')) return { kind: 'outside', absolute };
  const workspace = normalise(pathContext.workspace);
  if (absolute === workspace) return { kind: 'inside', path: '.', absolute };
  const prefix = workspace === '/' ? '/' : `${workspace}/`;
  if (!absolute.startsWith(prefix)) return { kind: 'outside', absolute };
  return { kind: 'inside', path: absolute.slice(prefix.length), absolute };
}

/** `~` of an unknown home stands outside every workspace. */
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

/** The path and what lies above it: `a`, `a/b`, `a/b/c`. */
export function lineageOf(path: string): readonly string[] {
  const segments = path.split('/');
  return segments.map((_, depth) => segments.slice(0, depth + 1).join('/')).filter((above) => above !== '');
}
