import { isAbsolute, join } from 'node:path';
import { stands } from './stands.ts';

/** Whether no folder of `path` holds such a name; false in every case of doubt. */
export async function lacksProgram(program: string, path: string): Promise<boolean> {
  const folders = path.split(':');
  // A relative one depends on where the line runs.
  if (path === '' || !folders.every((folder) => isAbsolute(folder))) return false;
  const found = await Promise.all(folders.map((folder) => stands(join(folder, program))));
  return !found.includes(true);
}
