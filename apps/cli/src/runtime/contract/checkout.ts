import { basename, join } from 'node:path';

const HERE = import.meta.dirname;

/** Folder of a built program in a package. `scripts/build-program.mjs` names that of a checkout differently. */
const PACKAGED = 'dist';

/** Whether this program was built: `main.js` is next to it. */
export const IS_BUILT = import.meta.filename.endsWith('.js');

/** Root of the checkout that contains this program; null in a package. */
export const CHECKOUT: string | null = !IS_BUILT
  ? join(HERE, '../../../../..')
  : basename(HERE) === PACKAGED
    ? null
    : join(HERE, '../../../..');
