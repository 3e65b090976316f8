import type { IsDenied } from '../denials/default-denials.ts';

/** Installed packages bring names that look like secrets of the workspace and are none. */
const PACKAGES = new Set(['node_modules', '.venv']);

/** Why a command may not change a path, by its name; null when it may. Git's own files are judged by what they hold. */
export function createWriteRefusals(isDenied: IsDenied): (path: string) => string | null {
  return (path) => {
    const segments = path.split('/');
    if (segments.some((segment) => PACKAGES.has(segment) || segment === '.git')) return null;
    return isDenied(path, 'write') ? 'policy forbids to write it' : null;
  };
}
