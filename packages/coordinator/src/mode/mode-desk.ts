import { type Clock, type EventLog, type Facts, Mode, UsageError } from '@signalbox/core';
import * as z from 'zod';
import type { ModeState } from '../coordinator-api.ts';
import { nextMode } from './mode.machine.ts';

const KEY = 'mode';
const Stored = z.strictObject({ mode: Mode, since: z.number(), by: z.string(), reason: z.string() });

/** The operational mode of the workspace, kept where every process of the workspace reads the same (D1). */
export type ModeDesk = {
  current(): Promise<ModeState>;
  /** @throws {UsageError} `no-reason` when nobody could later tell why. */
  set(mode: Mode, by: string, reason: string): Promise<ModeState>;
  /** The house's own doing, for a reason: DEGRADED, where that is stricter than the mode of now. Never loosens. */
  degrade(reason: string): Promise<ModeState>;
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

  /** One change after the other: what a person sets must not be undone by what was read before. */
  let tail: Promise<unknown> = Promise.resolve();
  function serially<T>(task: () => Promise<T>): Promise<T> {
    const next = tail.then(task);
    tail = next.catch(() => undefined);
    return next;
  }

  async function change(mode: Mode, from: Mode, by: string, reason: string): Promise<ModeState> {
    const state: ModeState = { mode, since: clock.now(), by, reason };
    await facts.set(KEY, state);
    await events.append([{ type: 'mode_changed', from, to: mode, by, reason }]);
    return state;
  }

  return {
    current,
    async set(mode, by, reason) {
      if (reason.trim() === '') {
        throw new UsageError('no-reason', `Cannot set mode ${mode}: it needs a reason`, {
          next: [`signalbox mode ${mode} -m "why"`],
        });
      }
      return serially(async () => {
        const { mode: from } = await current();
        return change(nextMode(from, { type: 'mode.set', to: mode }), from, by, reason);
      });
    },
    degrade: (reason) =>
      serially(async () => {
        const before = await current();
        const to = nextMode(before.mode, { type: 'trouble.found' });
        return to === before.mode ? before : change(to, before.mode, 'signalbox', reason);
      }),
  };
}
