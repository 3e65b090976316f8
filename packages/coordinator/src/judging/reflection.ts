import { type CallContext, isQualityFailure, type Outcome } from '@signalbox/core';
import { keepLatest } from '../keep-latest.ts';
import { agentOf } from './repeat-gate.ts';

/** The latest agents, and the latest kinds of failure of each, are kept; a dropped one counts from zero. */
const MAX_AGENTS = 200;
const MAX_KINDS = 50;
/** The first failure of a kind says all that there is to say. */
const FIRST_NOTED = 2;

/** Counts badly written calls, and returns a line that makes a model think about them (V6, S001-96). */
export type Reflection = {
  /** Call once for each ended call; undefined unless the same agent has written such a call badly before. */
  note(
    context: Pick<CallContext, 'sessionId' | 'callerId'>,
    ended: { readonly outcome: Outcome; readonly tool: string },
  ): string | undefined;
};

export function createReflection(): Reflection {
  const agents = new Map<string, Map<string, number>>();
  return {
    note(context, { outcome, tool }) {
      // A conflict with others' writes has the same category, and is nobody's mistake.
      if (outcome.kind !== 'failed' || !isQualityFailure(outcome.failure.category)) return undefined;
      const agent = agentOf(context);
      const kind = `${tool} ${outcome.failure.category} ${outcome.failure.code}`;
      const counts = agents.get(agent) ?? new Map<string, number>();
      const times = (counts.get(kind) ?? 0) + 1;
      keepLatest(counts, kind, { value: times, max: MAX_KINDS });
      keepLatest(agents, agent, { value: counts, max: MAX_AGENTS });
      if (times < FIRST_NOTED) return undefined;
      return `This is call ${times} of ${tool} that failed this way in this session: before the next one, compare its arguments with the tool's schema and the message above, and say what you change`;
    },
  };
}
