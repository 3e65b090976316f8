import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { normalisePath } from './workspace-path.ts';

/** Changes with every change of the file: no program can set back its ctime. */
export function stampAt(workspace: string, path: string): string {
  try {
    const stats = lstatSync(join(workspace, normalisePath(path, workspace)), {
      bigint: true,
      throwIfNoEntry: false,
    });
    return stats === undefined ? 'absent' : `${stats.ino} ${stats.ctimeNs} ${stats.size}`;
  } catch {
    return 'unseen';
  }
}
