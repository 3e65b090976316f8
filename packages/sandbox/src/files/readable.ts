import type { IsDenied } from '../denials/default-denials.ts';
import type { ReadView } from '../denials/read-view.ts';
import { linksOn } from './links-on.ts';
import { notAllowed, refuseDenied } from './workspace-path.ts';

/** Decides which paths of a workspace may be read. Paths are normalised and not denied by name. */
export function createReadable(options: {
  readonly workspace: string;
  readonly isDenied: IsDenied;
  readonly view: () => ReadView | null;
}): {
  /** Returns the file a path leads to, through links inside the workspace. */
  readonly file: (path: string) => Promise<string>;
  readonly folder: (path: string) => string;
} {
  const { workspace, isDenied, view } = options;

  async function targetOf(path: string): Promise<string> {
    const { links, end } = await linksOn(path, { workspace, isDenied });
    if (links.length === 0) return path;
    if (end === null)
      throw notAllowed(path, 'it is a link out of the workspace, or to a path that policy denies');
    refuseDenied(end, 'read', isDenied);
    return end;
  }

  return {
    async file(path) {
      const target = await targetOf(path);
      if (view()?.showsFile(target) === false) throw notListed(target);
      return target;
    },
    folder(path) {
      if (view()?.showsOf(path) === 'none') throw notListed(path);
      return path;
    },
  };
}

function notListed(path: string): Error {
  return notAllowed(path, 'tools.file.allow_read does not list it');
}
