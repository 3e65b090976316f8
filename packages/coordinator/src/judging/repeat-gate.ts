import {
  canonicalJson,
  type CallContext,
  type Clock,
  type Effect,
  Json,
  type Outcome,
  type RawCall,
} from '@signalbox/core';
import { keepLatest } from '../keep-latest.ts';
import { type ProposedChange, touches } from './change.ts';

/** The thresholds of `tools.repeated_calls`; null: never. */
export type RepeatLimits = {
  /** The repetition from which the model is notified. */
  readonly point_out: number | null;
  /** The repetition from which the call is refused. */
  readonly refuse: number | null;
};

/** A call as it is counted. */
export type RepeatedCall = {
  /** {@link nameOfCall} */
  readonly name: string;
  /** Empty for one that could not be judged. */
  readonly effects: readonly Effect[];
  /** State of the files that it names: another stamp resets the count. Null: not checked. */
  readonly stamp: string | null;
};

/**
 * Counts how often an agent makes the same call while nothing changes that could alter its result: per session, and per
 * sub-agent if known.
 *
 * A test that is run again after each edit is not a loop: a write by any command to what a call touches resets its
 * count. The call's own changes do not: a build that fails each time writes each time. Changes that people make in a
 * folder that a call reads are not seen, so the count also resets after a while.
 */
export type RepeatGate = {
  /** How many times it was made, without this one. */
  made(agent: string, name: string): number;
  /** How many times the agent has made it by now, including this one. */
  count(agent: string, call: RepeatedCall): number;
  /** This call has run, and the files it touches now have this stamp. */
  ran(agent: string, call: Pick<RepeatedCall, 'name' | 'stamp'>, change: ProposedChange): void;
};

/** The latest agents, and the latest calls of each, are kept; a dropped one counts from zero. */
const MAX_AGENTS = 200;
const MAX_CALLS = 500;
/** A call not made for this long counts from zero. */
const FORGOTTEN_AFTER_MS = 10 * 60_000;

type Made = {
  readonly times: number;
  readonly at: number;
  readonly effects: readonly Effect[];
  readonly stamp: string | null;
};

export function createRepeatGate(clock: Pick<Clock, 'monotonic'>): RepeatGate {
  const agents = new Map<string, Map<string, Made>>();
  return {
    made: (agent, name) => agents.get(agent)?.get(name)?.times ?? 0,
    count(agent, { name, effects, stamp }) {
      const counts = agents.get(agent) ?? new Map<string, Made>();
      const last = counts.get(name);
      const at = clock.monotonic();
      const isAgain = last !== undefined && at - last.at <= FORGOTTEN_AFTER_MS && isSame(last.stamp, stamp);
      const times = isAgain ? last.times + 1 : 1;
      keepLatest(counts, name, {
        value: { times, at, effects, stamp: stamp ?? last?.stamp ?? null },
        max: MAX_CALLS,
      });
      keepLatest(agents, agent, { value: counts, max: MAX_AGENTS });
      return times;
    },
    ran(agent, { name, stamp }, change) {
      const own = agents.get(agent)?.get(name);
      if (own !== undefined) agents.get(agent)?.set(name, { ...own, stamp });
      for (const counts of agents.values()) {
        for (const [other, { effects }] of counts) {
          if (other !== name && touches(effects, change)) counts.delete(other);
        }
      }
    },
  };
}

function isSame(before: string | null, now: string | null): boolean {
  return before === null || now === null || before === now;
}

/** Key of the agent whose calls are counted together. */
export function agentOf({ sessionId, callerId }: Pick<CallContext, 'sessionId' | 'callerId'>): string {
  return callerId === undefined ? sessionId : `${sessionId} ${callerId}`;
}

/** Key of a call: the same tool and arguments, whatever their notation. */
export function nameOfCall({ tool, args }: Pick<RawCall, 'tool' | 'args'>): string {
  return `${tool} ${typeof args === 'string' ? canonicalText(args) : canonicalJson(args)}`;
}

/** The note for a model that repeats itself; `undefined` below the threshold. */
export function repeatNote(times: number, { point_out, refuse }: RepeatLimits): string | undefined {
  if (point_out === null || times < point_out) return undefined;
  const next = refuse === null ? 'the result will be the same' : `it is denied from call ${refuse} on`;
  return `The same call was made ${times} times and nothing has changed since: ${next}`;
}

/** Adds a line for the model to an outcome. */
export function noting(outcome: Outcome, note: string | undefined): Outcome {
  if (note === undefined || outcome.kind === 'completed') return outcome;
  const { failure } = outcome;
  return { ...outcome, failure: { ...failure, why: [...(failure.why ?? []), note] } };
}

function canonicalText(args: string): string {
  try {
    return canonicalJson(Json.parse(args.trim() === '' ? {} : JSON.parse(args)));
  } catch {
    return args.trim();
  }
}
