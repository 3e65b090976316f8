import type { GlobalFlags } from '../runtime/contract/global-flags.ts';
import { tellError } from './tell-error.ts';

/**
 * Ends the process for an error that nobody caught, told as every other: nobody knows what state we are in, and the next
 * start recovers what was under way.
 */
export function endAtFault(host: NodeJS.Process, flags: GlobalFlags): void {
  host.once('uncaughtException', (error) => {
    host.exit(tellError(host, flags, error));
  });
}
