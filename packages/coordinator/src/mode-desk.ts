import { type Clock, type EventLog, type Facts, Mode, UsageError } from '@signalbox/core';
import * as z from 'zod';
import type { ModeState } from './coordinator-api.ts';

const KEY = 'mode';
const Stored = z.strictObject({ mode: Mode, since: z.number(), by: z.string(), reason: z.string() });

/** The operational mode of the workspace, kept where every process of the workspace reads the same (D1). */
export type ModeDesk = {
  current(): Promise<ModeState>;
  /** @throws {UsageError} `no-reason` when nobody could later tell why. */
  set(mode: Mode, by: string, reason: string): Promise<ModeState>;
};

/** `initial` holds until somebody sets another. A mode that can't be read, for whatever reason, counts as LOCKDOWN. */
export function createModeDesk(options: {
  readonly facts: Facts;
  readonly events: EventLog;
  readonly clock: Clock;
  readonly initial: Mode;
}): ModeDesk {
  const { facts, events, clock } = options;
  const startedAt = clock.now();

  async function current(): Promise<ModeState> {
    const stored = await facts.get(KEY).catch(() => null);
    if (stored === undefined)
      return { mode: options.initial, since: startedAt, by: 'configuration', reason: 'initial mode' };
    const parsed = Stored.safeParse(stored);
    if (parsed.success) return parsed.data;
    return { mode: 'LOCKDOWN', since: startedAt, by: 'signalbox', reason: 'the stored mode cannot be read' };
  }

  return {
    current,
    async set(mode, by, reason) {
      if (reason.trim() === '') {
        throw new UsageError('no-reason', `Cannot set mode ${mode}: it needs a reason`, {
          next: [`signalbox mode ${mode} -m "why"`],
        });
      }
      const before = await current();
      const state: ModeState = { mode, since: clock.now(), by, reason };
      await facts.set(KEY, state);
      await events.append([{ type: 'mode_changed', from: before.mode, to: mode, by, reason }]);
      return state;
    },
  };
}
