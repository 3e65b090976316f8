import { sessionEnding } from '@signalbox/api';
import { type StatusIcon, STATUS_ICONS } from '../terminal/icon.ts';

/** How a session ended, as people say it, the same on every screen. */
export function sessionIcon(finish: string): StatusIcon {
  return { ...(SHAPES[finish] ?? failed), word: sessionEnding(finish).toLowerCase() };
}

const { completed, cancelled, failed } = STATUS_ICONS;
const warning = { ...failed, role: 'warn' } as const;

/** All others look failed. */
const SHAPES: Readonly<Record<string, StatusIcon>> = {
  finished: completed,
  max_iterations: warning,
  budget: warning,
  cancelled,
};
