import type {
  CallContext,
  CommandRecord,
  CommandResult,
  Effect,
  Files,
  RawCall,
  Verdict,
} from '@signalbox/core';
import { changeOf, isNothing, onlyReads } from './change.ts';
import type { Judgement } from './judge-call.ts';
import { agentOf, nameOfCall, type RepeatGate, type RepeatLimits } from './repeat-gate.ts';

/** Files per call whose state is checked. */
const MAX_FILES = 16;

/** Decides which calls count as repetitions, and reads what they touch. */
export function createCountedCalls(parts: {
  readonly gate: RepeatGate;
  readonly files: Pick<Files, 'stampOf'>;
  readonly limits: RepeatLimits;
}): {
  timesMade(call: RawCall, context: CallContext, judgement: Judgement): number;
  noteRun(record: CommandRecord, result: CommandResult): void;
} {
  const { gate, limits } = parts;
  const noteFrom = Math.min(limits.point_out ?? Infinity, limits.refuse ?? Infinity);

  /** The state of the files that these effects name individually. */
  function stampOf(effects: readonly Effect[]): string {
    const paths = effects.flatMap((effect) =>
      'scope' in effect && effect.scope === 'file' ? [effect.path] : [],
    );
    return [...new Set(paths)].slice(0, MAX_FILES).map(parts.files.stampOf).join(' ');
  }

  return {
    timesMade(call, context, judgement) {
      const agent = agentOf(context);
      if (judgement.kind === 'rejected') {
        return gate.count(agent, { name: nameOfCall(call), effects: [], stamp: null });
      }
      const { tool, judged } = judgement;
      const { effects } = judged.verdict;
      if (tool.isExempt || isUncounted(judged.verdict)) return 1;
      const name = nameOfCall(judged.call);
      // Checking files takes time, and calls of one turn keep their order: so it is done only right before a note is
      // due.
      const isNoteDue = gate.made(agent, name) + 1 >= noteFrom;
      return gate.count(agent, { name, effects, stamp: isNoteDue ? stampOf(effects) : null });
    },
    noteRun(record, result) {
      const { call, context, verdict } = record;
      const change = changeOf(record, result);
      // Most calls: neither counted themselves, nor of any effect on the count of others.
      if (verdict !== null && isUncounted(verdict) && isNothing(change)) return;
      gate.ran(agentOf(context), { name: nameOfCall(call), stamp: stampOf(verdict?.effects ?? []) }, change);
    },
  };
}

/** Reading again is how an agent checks for changes, not a loop. */
function isUncounted({ level, effects }: Verdict): boolean {
  return level === 'safe' && onlyReads(effects);
}
