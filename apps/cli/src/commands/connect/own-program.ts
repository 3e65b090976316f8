import { join } from 'node:path';
import { CHECKOUT } from '../../runtime/contract/checkout.ts';

/**
 * How this very program is started from anywhere: all paths absolute, Node.js too, since what starts an editor from an icon
 * has not the PATH of a shell.
 */
export function ownProgram(): readonly [command: string, ...args: string[]] {
  // In a checkout by its launcher, which installs what an update brings.
  return CHECKOUT === null
    ? [process.execPath, join(import.meta.dirname, 'main.js')]
    : [process.execPath, join(CHECKOUT, 'scripts/run.mjs'), 'signalbox'];
}
