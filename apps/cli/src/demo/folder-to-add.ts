import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where a checkout keeps its `signalbox`; a packaged one has no such folder beside it. */
const BIN = fileURLToPath(new URL('../../../../bin', import.meta.url));

/**
 * The folder to put on the search path before `signalbox` can be typed as the demo writes it; null where it
 * can be typed already, and where there is no folder to add.
 */
export function folderToAdd(searchPath: string | undefined, bin: string = BIN): string | null {
  const found = (searchPath ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'signalbox')));
  return !found && existsSync(join(bin, 'signalbox')) ? bin : null;
}
