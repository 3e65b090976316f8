import {
  type Clock,
  type EventLog,
  type Facts,
  Json,
  LONGEST_MODE_MS,
  type MemberId,
  type Members,
  type Mode,
  UsageError,
} from '@signalbox/core';
import type { ModeState } from '../coordinator-api.ts';
import {
  degradedStack,
  type ModeStack,
  readStack,
  recoveredStack,
  setOn,
  stackAt,
  stateOf,
  storedStack,
} from './mode-stack.ts';
import { type HealthProblem, TROUBLE_OVER } from './health-problem.ts';

const MODE_KEY = 'mode';

/** The operational mode of the workspace, kept where every process of the workspace reads the same (D1). */
export type ModeService = {
  current(): Promise<ModeState>;
  /**
   * @param forMs for so long, and then what was set before comes back; default: until somebody sets another
   * @throws {UsageError} `no-reason` when nobody could later tell why; `usage` for a time of none or over 30 days;
   * `too-many-modes`
   */
  set(mode: Mode, by: string, reason: string, forMs?: number): Promise<ModeState>;
  /** The coordinator's own doing, for a reason: DEGRADED, where that is stricter than the mode of now. Never loosens. */
  degrade(reason: string, trouble?: HealthProblem): Promise<ModeState>;
  /** That trouble is over: the mode that it took the place of comes back, unless a person has set one meanwhile. */
  recover(trouble: HealthProblem): Promise<ModeState>;
  /** Tells that a mode's time is over, where it is and nobody has told so; answers what counts now. */
  settle(): Promise<ModeState>;
  /** Calls back whenever it may be another one, or end at another time; answers how to end that. */
  watch(changed: () => void): () => void;
};

/**
 * `initial` holds until somebody sets another. A mode that can't be read, for whatever reason, counts as LOCKDOWN.
 *
 * What was set for a time is over at its time whether anybody tells so or not, after a restart too: who reads the mode
 * looks at the clock.
 */
export function createModeService(options: {
  readonly facts: Facts;
  readonly events: EventLog;
  readonly clock: Clock;
  readonly initial: Mode;
  /** Which coordinator this is, where a workspace has several: what one sees of its machine another does not end. */
  readonly nodes?: Pick<Members, 'self' | 'living'> | undefined;
}): ModeService {
  const { facts, events, clock, nodes } = options;
  const startedAt = clock.now();
  const listeners = new Set<() => void>();

  function understood(stored: unknown): ModeStack {
    if (stored === undefined)
      return [{ mode: options.initial, since: startedAt, by: 'configuration', reason: 'initial mode' }];
    const unreadable = 'the stored mode cannot be read';
    return readStack(stored) ?? [{ mode: 'LOCKDOWN', since: startedAt, by: 'signalbox', reason: unreadable }];
  }

  async function current(): Promise<ModeState> {
    const stored = await facts.get(MODE_KEY).catch(() => null);
    return stateOf(stackAt(understood(stored), clock.now()));
  }

  /** False when another process, or another call of this one, was faster. */
  async function replace(stored: Json | undefined, after: ModeStack): Promise<boolean> {
    const isReplaced = await facts.compareAndSet(MODE_KEY, stored, Json.parse(storedStack(after)));
    if (isReplaced) for (const changed of listeners) changed();
    return isReplaced;
  }

  async function tell(from: Mode, state: ModeState, by: string, reason: string): Promise<void> {
    const back = state.back === undefined ? {} : { back: state.back };
    await events.append([{ type: 'mode_changed', from, to: state.mode, by, reason, ...back }]);
  }

  /** None of several that come at once undoes what it has not read. `next` answers its argument for: leave it so. */
  async function change(
    next: (before: ModeStack, now: number) => ModeStack,
  ): Promise<{ readonly from: Mode; readonly state: ModeState }> {
    for (;;) {
      const stored = await facts.get(MODE_KEY);
      const now = clock.now();
      const before = stackAt(understood(stored), now);
      const after = next(before, now);
      if (after === before || (await replace(stored, after)))
        return { from: before[0].mode, state: stateOf(after) };
    }
  }

  async function settle(): Promise<ModeState> {
    for (;;) {
      const stored = await facts.get(MODE_KEY);
      const before = understood(stored);
      const after = stackAt(before, clock.now());
      const state = stateOf(after);
      if (after === before) return state;
      if (!(await replace(stored, after))) continue;
      const [{ mode, by }] = before;
      if (mode !== state.mode)
        await tell(mode, state, 'signalbox', `the time is over for which ${by} set ${mode}`);
      return state;
    }
  }

  return {
    current,
    settle,
    async set(mode, by, reason, forMs) {
      if (reason.trim() === '') {
        throw new UsageError('no-reason', `Cannot set mode ${mode}: it needs a reason`, {
          next: [`signalbox mode ${mode} -m "why"`],
        });
      }
      if (forMs !== undefined && (forMs <= 0 || forMs > LONGEST_MODE_MS)) throw noSuchTime(mode);
      await settle();
      const { from, state } = await change((before, now) => {
        const end = forMs === undefined ? {} : { endsAt: now + forMs };
        return setOn(before, { mode, since: now, by, reason, ...end });
      });
      await tell(from, state, by, reason);
      return state;
    },
    async degrade(reason, trouble) {
      await settle();
      const found = { reason, trouble, seenBy: nodes?.self };
      const { from, state } = await change((before, now) => degradedStack(before, found, now));
      if (state.mode !== from) await tell(from, state, 'signalbox', state.reason);
      return state;
    },
    async recover(trouble) {
      const alive = new Set<MemberId | undefined>((await nodes?.living())?.map(({ id }) => id));
      const mayEnd = (seenBy: MemberId | undefined): boolean => seenBy === nodes?.self || !alive.has(seenBy);
      const { from, state } = await change((before) => recoveredStack(before, trouble, mayEnd));
      if (state.mode !== from) await tell(from, state, 'signalbox', TROUBLE_OVER[trouble]);
      return state;
    },
    watch(changed) {
      listeners.add(changed);
      const unwatch = facts.watch?.(MODE_KEY, changed);
      return () => {
        listeners.delete(changed);
        unwatch?.();
      };
    },
  };
}

function noSuchTime(mode: Mode): UsageError {
  return new UsageError('usage', `Cannot set mode ${mode} for that long: it is more than 30 days, or none`, {
    next: [`signalbox mode ${mode} -m "why"   sets it for good`],
  });
}
