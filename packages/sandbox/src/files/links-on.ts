import { realpathSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type FollowedPath, followLinks } from '@signalbox/core';
import type { IsDenied } from '../denials/default-denials.ts';
import { codeOf } from './file-failure.ts';
import { inFolder } from './safe-walk.ts';

/** Resolves the links on a normalised path. The folder of each link is reached without following any. */
export function linksOn(
  path: string,
  { workspace, isDenied }: { readonly workspace: string; readonly isDenied: IsDenied },
): Promise<FollowedPath> {
  return followLinks(path, {
    root: workspace,
    isDenied: (name) => isDenied(name, 'read'),
    // Fails for a path that is missing or isn't a link.
    readLink: (name) =>
      inFolder(workspace, dirname(name), { use: (folder) => readlink(folder.at(basename(name))) }).catch(
        (cause: unknown) => {
          if (codeOf(cause) === null) throw cause;
          return null;
        },
      ),
  });
}

/** The current target of a path, to judge it before it is opened; null if outside the workspace. */
export function targetNow(path: string, workspace: string): string | null {
  try {
    const real = realpathSync(join(workspace, path));
    if (real === workspace) return '.';
    return real.startsWith(`${workspace}/`) ? real.slice(workspace.length + 1) : null;
  } catch {
    return null;
  }
}
