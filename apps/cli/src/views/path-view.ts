import type { CommandRecord } from '@signalbox/core';
import { as, type Line, line, muted } from '../terminal/line.ts';

/** The steps of a command through its state machine: when, by which event, and to which state. */
export function pathView({ path = [], submittedAt, state }: CommandRecord): readonly Line[] {
  if (path.length === 0) return [line(muted(`${state}; no steps are recorded`))];
  const widest = Math.max(...path.map(({ event }) => event.length));
  return path.map((step) =>
    line(
      muted(`${((step.at - submittedAt) / 1000).toFixed(3).padStart(9)} s  `),
      step.event.padEnd(widest),
      muted('  → '),
      as('bold', step.state),
    ),
  );
}
