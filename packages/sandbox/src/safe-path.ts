import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { isInside } from './bubblewrap/mounts.ts';

/** Programs of the workspace are not looked up, whatever name leads there. */
export function safePath(path: string, workspace: string): string {
  const isOutside = (folder: string): boolean => !isInside(folder, workspace);
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
