import { dirname } from 'node:path';
import { codeOf } from './file-failure.ts';
import { inFolder } from './safe-walk.ts';

/** Missing folders on the way to a path, the topmost first. */
export async function missingFolders(workspace: string, path: string): Promise<string[]> {
  const segments = dirname(path) === '.' ? [] : dirname(path).split('/');
  for (const [index] of segments.entries()) {
    const folder = segments.slice(0, index + 1).join('/');
    const isThere = await inFolder(workspace, folder, { use: async () => true }).catch((cause: unknown) => {
      if (codeOf(cause) === 'ENOENT') return false;
      throw cause;
    });
    if (!isThere)
      return segments.slice(index).map((_, more) => segments.slice(0, index + more + 1).join('/'));
  }
  return [];
}
