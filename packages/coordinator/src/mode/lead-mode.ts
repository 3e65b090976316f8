import { createModeService, type ModeService } from './mode-service.ts';
import { endModesOnTime } from './end-modes-on-time.ts';
import { watchConditions } from './watch-conditions.ts';
import { watchTrouble } from './watch-trouble.ts';

/** The mode, with all that changes it by itself: its time, trouble, and what commands need of the machine. */
export function leadMode(
  parts: Parameters<typeof createModeService>[0] &
    Omit<Parameters<typeof watchTrouble>[0] & Parameters<typeof watchConditions>[0], 'modes'>,
): { readonly modes: ModeService; stop(): void } {
  const modes = createModeService(parts);
  const watched = { ...parts, modes };
  const stops = [watchTrouble(watched), endModesOnTime(watched), watchConditions(watched)];
  return {
    modes,
    stop() {
      for (const stop of stops) stop();
    },
  };
}
