import type { Mode } from '@signalbox/core';

/** In the order of the levers of a signal box: which one is pulled says the mode. */
export const MODES: readonly Mode[] = ['NORMAL', 'ALERT', 'DEGRADED', 'LOCKDOWN', 'RECOVERY'];

export const MODE_MEANS: Readonly<Record<Mode, string>> = {
  NORMAL: 'Rules decide as they are written',
  ALERT: 'All but safe calls ask',
  DEGRADED: 'All but safe calls ask; no chains, pipes or substitutions',
  LOCKDOWN: 'Only looking; no chains, pipes or substitutions',
  RECOVERY: 'All but safe calls ask: the way back from DEGRADED',
};

export function ModeLever({ mode }: Readonly<{ mode: Mode }>) {
  return (
    <span className="lever" data-mode={mode} aria-hidden="true">
      {MODES.map((one) => (
        <i key={one} className={one === mode ? 'on' : ''} />
      ))}
    </span>
  );
}
