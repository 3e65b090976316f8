import { ALL_MODES, type Mode } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { nextMode } from './mode.machine.ts';

/** From the loosest to the strictest. */
const STRICTNESS: readonly Mode[] = ['NORMAL', 'ALERT', 'RECOVERY', 'DEGRADED', 'LOCKDOWN'];

describe('nextMode', () => {
  test('a person can set any mode from any other (D1, S000-37)', () => {
    for (const from of ALL_MODES)
      for (const to of ALL_MODES) expect(nextMode(from, { type: 'mode.set', to })).toBe(to);
  });

  test('trouble leads to DEGRADED, and never loosens a mode (D4)', () => {
    const after = (mode: Mode) => nextMode(mode, { type: 'trouble.found' });
    expect(ALL_MODES.map((mode) => [mode, after(mode)])).toEqual([
      ['NORMAL', 'DEGRADED'],
      ['ALERT', 'DEGRADED'],
      ['DEGRADED', 'DEGRADED'],
      ['LOCKDOWN', 'LOCKDOWN'],
      ['RECOVERY', 'DEGRADED'],
    ]);
    for (const mode of ALL_MODES)
      expect(STRICTNESS.indexOf(after(mode))).toBeGreaterThanOrEqual(STRICTNESS.indexOf(mode));
  });
});
