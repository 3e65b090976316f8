import type { EventLog, Logger } from '@signalbox/core';
import type { ModeService } from './mode-service.ts';
import { createHealthMeter } from './health-meter.ts';

/** Sets DEGRADED when disk, memory or confinement run out, or too much fails; returns a function that stops it. */
export function watchHealth(parts: {
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
