import type { Event } from '@signalbox/core';
import type { CountingMode } from './mode-stack.ts';

/** Number and age (in milliseconds) of the endings considered. */
const ENDINGS_CONSIDERED = 20;
const WINDOW_MS = 10 * 60_000;
/** With fewer endings a rate means nothing. */
const FEWEST = 10;
const SHARE = 0.5;

/** One of these is enough: the next command would fail too, or would run without what it needs. */
const EXHAUSTION: Readonly<Partial<Record<string, CountingMode>>> = {
  'disk-full': { reason: 'the disk is full', trouble: 'disk' },
  'audit-unavailable': { reason: 'the audit log cannot be written', trouble: 'audit' },
  'out-of-memory': { reason: 'out of memory', trouble: 'memory' },
  sandbox_error: { reason: 'the sandbox does not work on this machine' },
};

/** Failures of the coordinator or the machine, not of the command: a failing test says nothing about us. */
const OURS: ReadonlySet<string> = new Set(['timeout', 'lost', 'internal', 'limit-reached', 'signalled']);

/** Detects from events whether the coordinator is in trouble (S000-66, S000-69). */
export type HealthMeter = {
  /** Undefined if there is no trouble. */
  saw(event: Event): CountingMode | undefined;
};

export function createHealthMeter(): HealthMeter {
  let endings: readonly { readonly at: number; readonly isOurs: boolean }[] = [];

  function rate(): CountingMode | undefined {
    const failed = endings.filter(({ isOurs }) => isOurs).length;
    if (endings.length < FEWEST || failed < endings.length * SHARE) return undefined;
    return { reason: `${failed} of the last ${endings.length} commands failed, timed out or were lost` };
  }

  return {
    saw(event) {
      // A person who sets a mode has seen the earlier trouble.
      if (event.type === 'mode_changed') endings = [];
      if (event.type !== 'command_completed' && event.type !== 'command_failed') return undefined;
      const reason = event.type === 'command_failed' ? event.reason : '';
      const exhausted = EXHAUSTION[reason];
      if (exhausted !== undefined) return exhausted;
      const since = event.at - WINDOW_MS;
      const isOurs = OURS.has(reason);
      endings = [...endings.filter(({ at }) => at > since), { at: event.at, isOurs }].slice(
        -ENDINGS_CONSIDERED,
      );
      return isOurs ? rate() : undefined;
    },
  };
}
