import type { Clock, EventLog, Logger } from '@signalbox/core';
import { fromCallback } from 'xstate';
import { endModesOnTime } from './end-modes-on-time.ts';
import { createHealthMeter } from './health-meter.ts';
import type { ModeService } from './mode-service.ts';
import { watchConditions } from './watch-conditions.ts';

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

/** Sets DEGRADED when disk, memory or confinement run out, or too much fails; returns a function that stops it. */
function watchHealth(parts: {
  readonly events: Pick<EventLog, 'subscribe'>;
  readonly modes: Pick<ModeService, 'degrade'>;
  readonly logger: Logger;
}): () => void {
  const { events, modes, logger } = parts;
  const meter = createHealthMeter();
  return events.subscribe((event) => {
    const trouble = meter.saw(event);
    if (trouble === undefined) return;
    modes.degrade(trouble.reason, trouble.trouble).catch((error: unknown) => {
      logger.error({ trouble, error }, 'mode not changed');
    });
  });
}
