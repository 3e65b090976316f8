import type { Ruling } from '@signalbox/core';
import type { ModeState } from '../coordinator-api.ts';

/**
 * Adds to a ruling based on the mode why the mode is set, since when, and what ends it; other rulings are unchanged.
 */
export function withModeReason(ruling: Ruling, { since, by, reason }: ModeState): Ruling {
  const clock = new Date(since).toTimeString().slice(0, 5);
  const why = `since ${clock}, set by ${by}: ${reason}`;
  const remedy = `signalbox mode NORMAL -m "why"`;
  if (ruling.kind === 'ask' && ruling.rule === 'mode-asks')
    return { ...ruling, reason: `${ruling.reason} (${why}; to end it: \`${remedy}\`)` };
  if (ruling.kind !== 'deny' || ruling.failure.code !== 'denied-by-mode') return ruling;
  const { failure } = ruling;
  const suggestion = `${failure.suggestion ?? 'Wait'}. A person ends the mode: ${remedy}`;
  return {
    ...ruling,
    failure: { ...failure, message: `${failure.message} (${why})`, suggestion },
  };
}
