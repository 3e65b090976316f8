import {
  canonicalJson,
  type Clock,
  type Effect,
  Json,
  type Outcome,
  type RawCall,
  type SessionId,
} from '@signalbox/core';

/** The thresholds of `tools.repeated_calls`; null: never. */
export type RepeatLimits = {
  /** The time from which on the model is told. */
  readonly point_out: number | null;
  /** The time from which on the call is refused. */
  readonly refuse: number | null;
};

/**
 * Counts how often a session makes the same call while nothing changes that could give it another answer.
 *
 * A test that is run again after each edit is no loop: whatever any session runs that may have changed something lets
 * all other calls count anew. What a call changes itself does not: a build that fails each time writes each time.
 * People change files in their editors, unseen from here, but not so fast: after a while a call counts anew as well.
 */
export type RepeatGate = {
  /** How many times the session has made it by now, this one counted. */
  count(session: SessionId, call: string): number;
  /** This call has run, and may have changed something. */
  changed(by: string): void;
};

/** Of sessions and of calls in each, the last ones are kept; one that was forgotten counts anew. */
const MAX_SESSIONS = 200;
const MAX_CALLS = 500;
/** A call that was not made for so long counts anew. */
const FORGOTTEN_AFTER_MS = 10 * 60_000;

type Made = { readonly times: number; readonly at: number };

export function createRepeatGate(clock: Pick<Clock, 'monotonic'>): RepeatGate {
  const sessions = new Map<SessionId, Map<string, Made>>();
  return {
    count(session, call) {
      const counts = sessions.get(session) ?? new Map<string, Made>();
      const last = counts.get(call);
      const at = clock.monotonic();
      const times = last === undefined || at - last.at > FORGOTTEN_AFTER_MS ? 1 : last.times + 1;
      toEnd(counts, call, { times, at }, MAX_CALLS);
      toEnd(sessions, session, counts, MAX_SESSIONS);
      return times;
    },
    changed(by) {
      for (const counts of sessions.values()) {
        for (const call of counts.keys()) if (call !== by) counts.delete(call);
      }
    },
  };
}

/** The same tool with the same arguments, however they are written. */
export function nameOfCall({ tool, args }: Pick<RawCall, 'tool' | 'args'>): string {
  return `${tool} ${typeof args === 'string' ? canonicalText(args) : canonicalJson(args)}`;
}

/** Said to a model that repeats itself; `undefined` while it is not worth a word. */
export function repeatNote(times: number, { point_out, refuse }: RepeatLimits): string | undefined {
  if (point_out === null || times < point_out) return undefined;
  const next = refuse === null ? 'it will bring nothing new' : `it is refused from time ${refuse} on`;
  return `You have made this same call ${times} times, and nothing has changed since: ${next}`;
}

/** The same outcome, with one more line for the model. */
export function noting(outcome: Outcome, note: string | undefined): Outcome {
  if (note === undefined || outcome.kind === 'completed') return outcome;
  const { failure } = outcome;
  return { ...outcome, failure: { ...failure, why: [...(failure.why ?? []), note] } };
}

/** Whether what ran may give other calls another answer. */
export function mayHaveChanged(effects: readonly Effect[]): boolean {
  return effects.some(
    (effect) =>
      effect.kind === 'write' ||
      effect.kind === 'delete' ||
      effect.kind === 'write-unknown' ||
      (effect.kind === 'resource' && effect.access === 'write'),
  );
}

function canonicalText(args: string): string {
  try {
    return canonicalJson(Json.parse(args.trim() === '' ? {} : JSON.parse(args)));
  } catch {
    return args.trim();
  }
}

function toEnd<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) if (map.size > most) map.delete(oldest);
}
