import { sessionEnding } from '@signalbox/api';
import { type StatusIcon, STATUS_ICONS } from '../terminal/icon.ts';

/** The word for a session's end, the same on every screen. */
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
