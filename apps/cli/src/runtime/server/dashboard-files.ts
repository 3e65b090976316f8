import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DashboardFiles } from '@signalbox/server';
import { CHECKOUT } from '../contract/checkout.ts';
import { quoteWord } from '../../terminal/quote-word.ts';

/** In the checkout where it is built, or next to the packaged program. */
export function dashboardFiles(): DashboardFiles {
  const folder =
    CHECKOUT === null ? join(import.meta.dirname, 'dashboard') : join(CHECKOUT, 'apps/dashboard/dist');
  return {
    folder: () => (existsSync(join(folder, 'index.html')) ? folder : null),
    howToBuild:
      CHECKOUT === null
        ? ['reinstall Signalbox: the folder "dashboard" beside its program is missing']
        : [`node ${quoteWord(join(CHECKOUT, 'scripts/run.mjs'))} dashboard`],
  };
}
