import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DashboardFiles } from '@signalbox/server';
import { quoteWord } from '../frame/quote-word.ts';

const HERE = import.meta.dirname;
const CHECKOUT = join(HERE, '../../../..');

/** Beside the built program, or where the checkout builds it. */
export function dashboardFiles(): DashboardFiles {
  const places = [join(HERE, 'dashboard'), join(CHECKOUT, 'apps/dashboard/dist')];
  return {
    folder: () => places.find((place) => existsSync(join(place, 'index.html'))) ?? null,
    howToBuild: existsSync(join(CHECKOUT, 'scripts/build-dashboard.mjs'))
      ? [`node ${quoteWord(join(CHECKOUT, 'scripts/run.mjs'))} dashboard`]
      : ['install Signalbox again: the folder "dashboard" beside its program is missing'],
  };
}
