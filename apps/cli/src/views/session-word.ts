import { type Glance, GLANCES } from '../screen/icon.ts';

/** How a session ended, as people say it, the same on every screen. */
export function sessionGlance(finish: string): Glance {
  return ENDINGS[finish] ?? GLANCES.failed;
}

const { completed, cancelled, failed } = GLANCES;

const ENDINGS: Readonly<Record<string, Glance>> = {
  finished: { ...completed, word: 'finished' },
  max_iterations: { ...failed, role: 'warn', word: 'out of turns' },
  budget: { ...failed, role: 'warn', word: 'over budget' },
  cancelled: { ...cancelled, word: 'stopped' },
  lost: { ...failed, word: 'lost' },
};
