import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * How this very program is started from anywhere: all paths absolute, Node.js too, since what starts an editor from an icon
 * has not the PATH of a shell.
 */
export function ownProgram(): readonly [command: string, ...args: string[]] {
  // In a checkout by its launcher, which installs what an update brings.
  const launcher = join(import.meta.dirname, '../../../../scripts/run.mjs');
  const built = join(import.meta.dirname, 'main.js');
  return existsSync(built) ? [process.execPath, built] : [process.execPath, launcher, 'signalbox'];
}
