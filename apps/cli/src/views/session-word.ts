import { sessionEnding } from '@signalbox/api';
import { type Glance, GLANCES } from '../terminal/icon.ts';

/** How a session ended, as people say it, the same on every screen. */
export function sessionGlance(finish: string): Glance {
  return { ...(SHAPES[finish] ?? failed), word: sessionEnding(finish).toLowerCase() };
}

const { completed, cancelled, failed } = GLANCES;
const warning = { ...failed, role: 'warn' } as const;

/** All others look failed. */
const SHAPES: Readonly<Record<string, Glance>> = {
  finished: completed,
  max_iterations: warning,
  budget: warning,
  cancelled,
};
