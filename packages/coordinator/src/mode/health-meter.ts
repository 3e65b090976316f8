import type { Event } from '@signalbox/core';
import type { CountingMode } from './mode-stack.ts';

/** Endings that are looked back at, and how long, in milliseconds. */
const LOOKS_BACK = 20;
const WINDOW_MS = 10 * 60_000;
/** Fewer endings than this say nothing of a rate. */
const FEWEST = 10;
const SHARE = 0.5;

/** One of these is enough: what comes next would fail too, or would run without what it needs. */
const EXHAUSTION: Readonly<Partial<Record<string, CountingMode>>> = {
  'disk-full': { reason: 'there is no room left on the disk', trouble: 'disk' },
  'audit-unavailable': { reason: 'the audit log cannot be written', trouble: 'audit' },
  'out-of-memory': { reason: 'memory has run out', trouble: 'memory' },
  sandbox_error: { reason: 'the sandbox does not hold on this machine' },
};

/** Failures of the coordinator or the machine, not of what was asked: a test that fails says nothing of us. */
const OURS: ReadonlySet<string> = new Set(['timeout', 'lost', 'internal', 'limit-reached', 'signalled']);

/** Tells from what happens whether the coordinator is in trouble (S000-66, S000-69). */
export type HealthMeter = {
  /** Undefined while all is well. */
  saw(event: Event): CountingMode | undefined;
};

export function createTroubleMeter(): HealthMeter {
  let endings: readonly { readonly at: number; readonly isOurs: boolean }[] = [];

  function rate(): CountingMode | undefined {
    const failed = endings.filter(({ isOurs }) => isOurs).length;
    if (endings.length < FEWEST || failed < endings.length * SHARE) return undefined;
    return { reason: `${failed} of the last ${endings.length} commands did not come to an end of their own` };
  }

  return {
    saw(event) {
      // Who sets a mode has seen what was before.
      if (event.type === 'mode_changed') endings = [];
      if (event.type !== 'command_completed' && event.type !== 'command_failed') return undefined;
      const reason = event.type === 'command_failed' ? event.reason : '';
      const exhausted = EXHAUSTION[reason];
      if (exhausted !== undefined) return exhausted;
      const since = event.at - WINDOW_MS;
      const isOurs = OURS.has(reason);
      endings = [...endings.filter(({ at }) => at > since), { at: event.at, isOurs }].slice(-LOOKS_BACK);
      return isOurs ? rate() : undefined;
    },
  };
}
