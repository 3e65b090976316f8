import type { IsDenied } from '../denials/default-denials.ts';

/** Installed packages contain names that look like secrets of the workspace but aren't. */
const PACKAGES = new Set(['node_modules', '.venv']);

/**
 * Returns why a command may not change a path, judged by its name; null when it may. Git's own files are judged
 * by content.
 */
export function createWriteRefusals(isDenied: IsDenied): (path: string) => string | null {
  return (path) => {
    const segments = path.split('/');
    if (segments.some((segment) => PACKAGES.has(segment) || segment === '.git')) return null;
    return isDenied(path, 'write') ? 'policy denies writing it' : null;
  };
}
