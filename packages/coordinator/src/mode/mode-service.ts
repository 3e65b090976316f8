import {
  type Clock,
  type EventLog,
  type Facts,
  Json,
  LONGEST_MODE_MS,
  type NodeId,
  type Nodes,
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

/** The operational mode of the workspace, stored where every process of the workspace reads it (D1). */
export type ModeService = {
  current(): Promise<ModeState>;
  /**
   * @param forMs duration, after which the previous mode comes back; default: until another mode is set
   * @throws {UsageError} `no-reason` when the reason is empty; `usage` for a duration of zero or over 30 days;
   * `too-many-modes`
   */
  set(
    mode: Mode,
    options: Readonly<{ by: string; reason: string; forMs?: number | undefined }>,
  ): Promise<ModeState>;
  /** Called by the coordinator itself: sets DEGRADED if that is stricter than the current mode. Never loosens. */
  degrade(reason: string, trouble?: HealthProblem): Promise<ModeState>;
  /** That trouble is over: the mode before it comes back, unless a person has set one meanwhile. */
  recover(trouble: HealthProblem): Promise<ModeState>;
  /** Publishes the end of a timed mode, if it is due and not yet published; returns the current mode. */
  settle(): Promise<ModeState>;
  /** Called whenever the mode or its end may have changed. Call the result to stop. */
  watch(changed: () => void): () => void;
};

/**
 * `initial` applies until another mode is set. A mode that can't be read, for whatever reason, counts as LOCKDOWN.
 *
 * A timed mode ends on time, even across a restart and even if its end is not published: readers compare it with the
 * clock.
 */
export function createModeService(options: {
  readonly facts: Facts;
  readonly events: EventLog;
  readonly clock: Clock;
  readonly initial: Mode;
  /**
   * Identifies this coordinator, if the workspace has several: trouble seen by one on its machine is not ended by
   * another.
   */
  readonly nodes?: Pick<Nodes, 'self' | 'living'> | undefined;
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

  /** False if another process, or another call of this one, was faster. */
  async function replace(stored: Json | undefined, after: ModeStack): Promise<boolean> {
    const isReplaced = await facts.compareAndSet(MODE_KEY, {
      expected: stored,
      value: Json.parse(storedStack(after)),
    });
    if (isReplaced) for (const changed of listeners) changed();
    return isReplaced;
  }

  async function tell(
    from: Mode,
    state: ModeState,
    { by, reason }: Readonly<{ by: string; reason: string }>,
  ): Promise<void> {
    const back = state.back === undefined ? {} : { back: state.back };
    await events.append([{ type: 'mode_changed', from, to: state.mode, by, reason, ...back }]);
  }

  /** A concurrent change never overwrites one that it has not read. `next` returns its argument to change nothing. */
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
        await tell(mode, state, {
          by: 'signalbox',
          reason: `the time limit of ${mode}, set by ${by}, has passed`,
        });
      return state;
    }
  }

  return {
    current,
    settle,
    async set(mode, { by, reason, forMs }) {
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
      await tell(from, state, { by, reason });
      return state;
    },
    async degrade(reason, trouble) {
      await settle();
      const found = { reason, trouble, seenBy: nodes?.self };
      const { from, state } = await change((before, now) => degradedStack(before, now, found));
      if (state.mode !== from) await tell(from, state, { by: 'signalbox', reason: state.reason });
      return state;
    },
    async recover(trouble) {
      const alive = new Set<NodeId | undefined>((await nodes?.living())?.map(({ id }) => id));
      const mayEnd = (seenBy: NodeId | undefined): boolean => seenBy === nodes?.self || !alive.has(seenBy);
      const { from, state } = await change((before) => recoveredStack(before, trouble, mayEnd));
      if (state.mode !== from) await tell(from, state, { by: 'signalbox', reason: TROUBLE_OVER[trouble] });
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
  return new UsageError(
    'usage',
    `Cannot set mode ${mode} for that time: it must be more than 0 and at most 30 days`,
    {
      next: [`signalbox mode ${mode} -m "why"   sets it without an end`],
    },
  );
}
