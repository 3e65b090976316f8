import type { Clock } from '@signalbox/core';
import { fromCallback } from 'xstate';
import { endModesOnTime } from './end-modes-on-time.ts';
import type { ModeService } from './mode-service.ts';
import { watchConditions } from './watch-conditions.ts';
import { watchHealth } from './watch-health.ts';

/** Changes the mode automatically, as an actor: timed modes, trouble, and what commands need of the machine. */
export function leadMode(
  parts: { readonly modes: ModeService; readonly clock: Clock } & Omit<
    Parameters<typeof watchHealth>[0] & Parameters<typeof watchConditions>[0],
    'modes' | 'clock'
  >,
) {
  return fromCallback(({ system }) => {
    const seen: Parameters<typeof endModesOnTime>[0]['seen'] = (to) => {
      const mode = system.get('mode');
      if (mode?.getSnapshot().value !== to) mode?.send({ type: 'mode.set', to });
    };
    const stops = [watchHealth(parts), endModesOnTime({ ...parts, seen }), watchConditions(parts)];
    return () => {
      for (const stop of stops) stop();
    };
  });
}
