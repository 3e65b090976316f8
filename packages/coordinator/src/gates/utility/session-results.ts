import type { Effect, SessionId } from '@signalbox/core';
import { type ProposedChange, touches } from '../../judging/change.ts';
import { keepLatest } from '../../keep-latest.ts';
import type { EarlierResult } from './score-utility.ts';

/** A result, and what decides whether it is still fresh. */
export type RememberedResult = EarlierResult & {
  readonly sessionId: SessionId;
  readonly effects: readonly Effect[];
  /** State of what it read, from before it ran; null: not known. */
  readonly stamp: Promise<string | null>;
};

/** The last results of each agent that only read, and how long the answers of each program are. */
export type SessionResults = {
  /** Latest first. */
  of(agent: string): readonly RememberedResult[];
  add(agent: string, result: RememberedResult): void;
  /** Mean tokens of the program's answers in this workspace; null before the first. */
  tokensOf(program: string): number | null;
  noteTokens(program: string, tokens: number): void;
  /** Something was changed by a command, of whatever session. */
  changed(change: ProposedChange): void;
  /** This one result is out of date. */
  outdate(agent: string, result: EarlierResult): void;
  /** Its model does not have these results any more. */
  forget(session: SessionId): void;
};

const MAX_AGENTS = 100;
const MAX_RESULTS = 20;
const MAX_PROGRAMS = 500;
/** Weight of the newest answer in the mean. */
const NEWEST = 0.2;

export function createSessionResults(): SessionResults {
  const agents = new Map<string, readonly RememberedResult[]>();
  const tokens = new Map<string, number>();

  function replaceAll(change: (one: RememberedResult) => RememberedResult): void {
    for (const [agent, results] of agents) agents.set(agent, results.map(change));
  }

  return {
    of: (agent) => agents.get(agent) ?? [],
    add(agent, result) {
      const results = [result, ...(agents.get(agent) ?? [])].slice(0, MAX_RESULTS);
      keepLatest(agents, agent, { value: results, max: MAX_AGENTS });
    },
    tokensOf: (program) => tokens.get(program) ?? null,
    noteTokens(program, count) {
      const before = tokens.get(program) ?? count;
      keepLatest(tokens, program, { value: before + NEWEST * (count - before), max: MAX_PROGRAMS });
    },
    changed(change) {
      if (!change.isUnknown && change.paths.length === 0 && change.resources.length === 0) return;
      replaceAll((one) => (one.isFresh && touches(one.effects, change) ? { ...one, isFresh: false } : one));
    },
    outdate(agent, { commandId }) {
      const results = agents.get(agent) ?? [];
      agents.set(
        agent,
        results.map((one) => (one.commandId === commandId ? { ...one, isFresh: false } : one)),
      );
    },
    forget(session) {
      for (const [agent, results] of agents)
        if (results.some(({ sessionId }) => sessionId === session)) agents.delete(agent);
    },
  };
}
