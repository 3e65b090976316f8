import type { CallContext, CommandRecord, CommandResult, Effect, Files, RawCall } from '@signalbox/core';
import { changeOf, onlyReads } from './change.ts';
import type { Judgement } from './judge-call.ts';
import { agentOf, nameOfCall, type RepeatGate, type RepeatLimits } from './repeat-gate.ts';

/** Files per call whose state is checked. */
const MAX_FILES = 16;

/** Decides which calls count as repetitions, and reads what they touch. */
export function createCountedCalls(parts: {
  readonly gate: RepeatGate;
  readonly files: Pick<Files, 'stat'>;
  readonly limits: RepeatLimits;
}): {
  timesMade(call: RawCall, context: CallContext, judgement: Judgement): Promise<number>;
  noteRun(record: CommandRecord, result: CommandResult): Promise<void>;
} {
  const { gate, limits } = parts;
  const noteFrom = Math.min(limits.point_out ?? Infinity, limits.refuse ?? Infinity);

  /** The state of the files that these effects name individually. */
  async function stampOf(effects: readonly Effect[]): Promise<string> {
    const paths = effects.flatMap((effect) =>
      'scope' in effect && effect.scope === 'file' ? [effect.path] : [],
    );
    const states = await Promise.all([...new Set(paths)].slice(0, MAX_FILES).map(stateOf));
    return states.join(' ');
  }

  async function stateOf(path: string): Promise<string> {
    try {
      const entry = await parts.files.stat(path);
      return entry === null ? 'absent' : `${entry.changedAt}:${entry.bytes}`;
    } catch {
      return 'unseen';
    }
  }

  return {
    async timesMade(call, context, judgement) {
      const agent = agentOf(context);
      if (judgement.kind === 'rejected') {
        return gate.count(agent, { name: nameOfCall(call), effects: [], stamp: null });
      }
      const { tool, judged } = judgement;
      const { effects, level } = judged.verdict;
      // Reading again is how an agent checks for changes, not a loop.
      if (tool.isExempt || (level === 'safe' && onlyReads(effects))) return 1;
      const name = nameOfCall(judged.call);
      // Checking files takes time, and calls of one turn keep their order: so it is done only right before a note is
      // due.
      const isNoteDue = gate.made(agent, name) + 1 >= noteFrom;
      return gate.count(agent, { name, effects, stamp: isNoteDue ? await stampOf(effects) : null });
    },
    async noteRun(record, result) {
      const { call, context, verdict } = record;
      const change = changeOf(record, result);
      gate.ran(
        agentOf(context),
        { name: nameOfCall(call), stamp: await stampOf(verdict?.effects ?? []) },
        change,
      );
    },
  };
}
