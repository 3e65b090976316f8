/** Where a path leads through symbolic links. */
export type FollowedPath = {
  /** Links on the way, in order: the path of each, and its text. */
  readonly links: readonly { readonly path: string; readonly to: string }[];
  /** Normalised and free of links; null when the path leaves the workspace, is denied, or has more than 40 links. */
  readonly end: string | null;
};

/** The limit of Linux. */
const MAX_LINKS = 40;

/**
 * Follows every link of a path, those of its folders too, as the system would.
 *
 * @param path Relative to the workspace, normalised.
 * @param options.root Absolute path of the workspace.
 * @param options.readLink The text of the link at a path whose folders are not links; null when it is not a link.
 */
export async function followLinks(
  path: string,
  options: {
    readonly root: string;
    readonly readLink: (path: string) => Promise<string | null>;
    readonly isDenied: (path: string) => boolean;
  },
): Promise<FollowedPath> {
  const { root, readLink, isDenied } = options;
  const links: { path: string; to: string }[] = [];
  const way: string[] = [];
  const rest = namesOf(path);
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (name === '..') {
      if (way.pop() === undefined) return { links, end: null };
      continue;
    }
    const here = [...way, name].join('/');
    if (isDenied(here)) return { links, end: null };
    const to = await readLink(here);
    if (to === null) {
      way.push(name);
      continue;
    }
    links.push({ path: here, to });
    const inside = to.startsWith(`${root}/`) ? to.slice(root.length) : to === root ? '' : null;
    if (links.length > MAX_LINKS || (to.startsWith('/') && inside === null)) return { links, end: null };
    if (inside !== null) way.length = 0;
    rest.unshift(...namesOf(inside ?? to));
  }
  return { links, end: way.length === 0 ? '.' : way.join('/') };
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}
