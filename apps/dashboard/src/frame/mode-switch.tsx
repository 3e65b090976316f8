import type { Mode } from '@signalbox/core';
import styles from './mode-switch.module.css';

/** In the order of the switch. */
export const MODES: readonly Mode[] = ['NORMAL', 'ALERT', 'DEGRADED', 'LOCKDOWN', 'RECOVERY'];

export const MODE_MEANS: Readonly<Record<Mode, string>> = {
  NORMAL: 'Rules apply as written',
  ALERT: 'Only safe calls run without approval',
  DEGRADED: 'Only safe calls run without approval; no chains, pipes or substitutions',
  LOCKDOWN: 'Read-only calls only; no chains, pipes or substitutions',
  RECOVERY: 'Only safe calls run without approval: the way back from DEGRADED',
};

export function ModeSwitch({ mode }: Readonly<{ mode: Mode }>) {
  return (
    <span className={styles['bars']} data-mode={mode} aria-hidden="true">
      {MODES.map((one) => (
        <i key={one} className={one === mode ? styles['on'] : ''} />
      ))}
    </span>
  );
}
