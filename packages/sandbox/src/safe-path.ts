import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { isWithin } from '@signalbox/core';

/** Programs of the workspace are not looked up, whatever name leads there. */
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
