import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CHECKOUT } from '../../runtime/contract/checkout.ts';

/** A checkout's folder with `signalbox`; a package has none. */
const BIN = CHECKOUT === null ? null : join(CHECKOUT, 'bin');

/**
 * The folder to add to PATH so that `signalbox` can be typed as the demo writes it; null if it already can, or there is
 * no such folder.
 */
export function folderToAdd(searchPath: string | undefined, bin: string | null = BIN): string | null {
  if (bin === null) return null;
  const found = (searchPath ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'signalbox')));
  return !found && existsSync(join(bin, 'signalbox')) ? bin : null;
}
