import { join } from 'node:path';
import { CHECKOUT } from '../../runtime/contract/checkout.ts';

/**
 * How to start this program from anywhere: all paths absolute, including Node.js, since an editor started from an icon
 * does not have a shell's PATH.
 */
export function ownProgram(): readonly [command: string, ...args: string[]] {
  // In a checkout by its launcher, which installs updated dependencies.
  return CHECKOUT === null
    ? [process.execPath, join(import.meta.dirname, 'main.js')]
    : [process.execPath, join(CHECKOUT, 'scripts/run.mjs'), 'signalbox'];
}
