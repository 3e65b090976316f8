import type { GlobalFlags } from '../runtime/contract/global-flags.ts';
import { reportError } from './show-error.ts';

/**
 * Ends the process after an uncaught error, reported like any other: its state is unknown, and the next start recovers
 * unfinished work.
 */
export function endAtFault(host: NodeJS.Process, flags: GlobalFlags): void {
  host.once('uncaughtException', (error) => {
    host.exit(reportError(host, error, flags));
  });
}
