import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CHECKOUT } from '../../runtime/contract/checkout.ts';

/** Where a checkout keeps its `signalbox`; a package has no such folder. */
const BIN = CHECKOUT === null ? null : join(CHECKOUT, 'bin');

/**
 * The folder to put on the search path before `signalbox` can be typed as the demo writes it; null where it
 * can be typed already, and where there is no folder to add.
 */
export function folderToAdd(searchPath: string | undefined, bin: string | null = BIN): string | null {
  if (bin === null) return null;
  const found = (searchPath ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'signalbox')));
  return !found && existsSync(join(bin, 'signalbox')) ? bin : null;
}
