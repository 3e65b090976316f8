import type { Settings } from '@signalbox/core';
import { createAllowList } from './path-list.ts';
import { type PathContext, locatePath } from './path-location.ts';

/** The paths of the workspace that programs and file tools may read, when `tools.file.allow_read` lists them. */
export type ReadDenials = {
  readonly showsFile: (path: string) => boolean;
  /** For a folder with everything below it. */
  readonly showsOf: (folder: string) => 'all' | 'some' | 'none';
};

/** Null when everything that is not denied may be read. */
export function createReadView({ tools }: Settings, pathContext: PathContext): ReadDenials | null {
  const { allow_read } = tools.file;
  if (allow_read.length === 0) return null;
  const list = createAllowList(allow_read, pathContext);
  return {
    showsFile(path) {
      const location = locatePath(`./${path}`, pathContext);
      return location.kind === 'inside' && list.admits(location);
    },
    showsOf(folder) {
      const location = locatePath(`./${folder}`, pathContext);
      if (location.kind === 'outside') return 'none';
      if (list.admitsAllBelow(location)) return 'all';
      return list.admitsSomeBelow(location) ? 'some' : 'none';
    },
  };
}
