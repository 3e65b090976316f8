// Fails with an uncaught error: `node fail-later.ts throw|reject`.
import { endAtFault } from '../end-at-fault.ts';
import { guessGlobalFlags } from '../../runtime/contract/global-flags.ts';

endAtFault(process, guessGlobalFlags([]));
setInterval(() => undefined, 1000);
if (process.argv[2] === 'reject') void Promise.reject(new Error('on purpose'));
else
  setImmediate(() => {
    throw new Error('on purpose');
  });
