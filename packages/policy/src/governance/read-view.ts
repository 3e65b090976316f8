import type { Settings } from '@signalbox/core';
import { createAllowList } from './path-list.ts';
import { type Ground, placeOf } from './place.ts';

/** What programs and file tools may read of the workspace, where `tools.file.allow_read` lists it. */
export type ReadView = {
  readonly showsFile: (path: string) => boolean;
  /** Of a folder with all below it. */
  readonly showsOf: (folder: string) => 'all' | 'some' | 'none';
};

/** Null where all that is not denied may be read. */
export function createReadView({ tools }: Settings, ground: Ground): ReadView | null {
  const { allow_read } = tools.file;
  if (allow_read.length === 0) return null;
  const list = createAllowList(allow_read, ground);
  return {
    showsFile(path) {
      const place = placeOf(`./${path}`, ground);
      return place.kind === 'inside' && list.admits(place);
    },
    showsOf(folder) {
      const place = placeOf(`./${folder}`, ground);
      if (place.kind === 'outside') return 'none';
      if (list.admitsAllBelow(place)) return 'all';
      return list.admitsSomeBelow(place) ? 'some' : 'none';
    },
  };
}
