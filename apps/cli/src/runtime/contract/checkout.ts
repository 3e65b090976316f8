import { basename, join } from 'node:path';

const HERE = import.meta.dirname;

/** What the folder of a built program is called in a package; `scripts/build-program.mjs` calls that of a checkout otherwise. */
const PACKAGED = 'dist';

/** Whether this program was built: it has a `main.js` beside it. */
export const IS_BUILT = import.meta.filename.endsWith('.js');

/** Root of the checkout that this program is a part of; null in a package. */
export const CHECKOUT: string | null = !IS_BUILT
  ? join(HERE, '../../../../..')
  : basename(HERE) === PACKAGED
    ? null
    : join(HERE, '../../../..');
