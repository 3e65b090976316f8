import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { isWithin } from '@signalbox/core';

/** Removes folders of the workspace from a search path, by whatever name they are reached. */
export function safePath(path: string, workspace: string): string {
  const isOutside = (folder: string): boolean => !isWithin(folder, workspace);
  return path
    .split(':')
    .filter((folder) => isAbsolute(folder) && isOutside(folder) && isOutside(realPath(folder)))
    .join(':');
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
