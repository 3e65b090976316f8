import {
  type CommandRecord,
  type CommandResult,
  type Failure,
  type GateDecision,
  GateName,
  type Logger,
} from '@signalbox/core';
import type { CallGate, GateAnswer, GatedCall } from './gate.ts';
import { createGateTurns, type GateTurns } from './gate-turns.ts';
import { gatedCallOf } from './gated-call.ts';

/** The answer of several gates to one call. */
export type GateChainAnswer = {
  /** In the order of the gates. */
  readonly decisions: readonly GateDecision[];
  /** For its model. */
  readonly notes: readonly string[];
  /** Set if one refused it; later gates were not asked. */
  readonly failure?: Failure;
};

/** All gates, in the order of {@link GateName}. */
export type GateChain = {
  /** The gates that judge this call; empty: none. */
  of(call: GatedCall): readonly CallGate[];
  /** Asks the gates one after another, until one refuses. Never rejects: a gate that throws refuses. */
  ask(
    gates: readonly CallGate[],
    asked: { readonly call: GatedCall; readonly signal: AbortSignal },
  ): Promise<GateChainAnswer>;
  /** The gate whose stored decision on the call does not count any more, or is missing. */
  outdated(record: CommandRecord): GateName | undefined;
  /** Call once for each ended command. */
  noteEnded(record: CommandRecord, result: CommandResult): void;
  readonly turns: GateTurns;
};

export function createGateChain(given: readonly CallGate[], logger: Pick<Logger, 'error'>): GateChain {
  const ordered = given.toSorted((one, other) => placeOf(one) - placeOf(other));

  async function answerOf(gate: CallGate, asked: Parameters<GateChain['ask']>[1]): Promise<Answered> {
    try {
      return await gate.judge(asked.call, asked.signal);
    } catch (error) {
      // A cancelled call has no answer.
      if (!asked.signal.aborted) logger.error({ error, gate: gate.name }, 'gate failed; the call is refused');
      const message = `Not run: the ${gate.name} gate failed inside Signalbox`;
      return { kind: 'broken', failure: { ...gate.failure, message, visibility: 'visible' } };
    }
  }

  const applies = (call: GatedCall): readonly CallGate[] =>
    ordered.length === 0 ? ordered : ordered.filter((gate) => gate.applies(call));

  return {
    of: applies,
    async ask(gates, asked) {
      const decisions: GateDecision[] = [];
      const notes: string[] = [];
      for (const gate of gates) {
        const answer = await answerOf(gate, asked);
        if (answer.kind !== 'broken') decisions.push(answer.decision);
        if (answer.kind === 'note') notes.push(answer.note);
        if ('failure' in answer) return { decisions, notes, failure: answer.failure };
      }
      return { decisions, notes };
    },
    outdated(record) {
      const call = gatedCallOf(record);
      if (call === null) return undefined;
      const isOutdated = ({ name, stillCounts }: CallGate): boolean =>
        !stillCounts(record.gates?.find(({ gate }) => gate === name));
      return applies(call).find(isOutdated)?.name;
    },
    noteEnded(record, result) {
      for (const gate of ordered) gate.noteEnded?.(record, result);
    },
    turns: createGateTurns(),
  };
}

type Answered = GateAnswer | { readonly kind: 'broken'; readonly failure: Failure };

function placeOf({ name }: CallGate): number {
  return GateName.options.indexOf(name);
}
