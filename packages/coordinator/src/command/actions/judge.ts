import type { Ruling } from '@signalbox/core';
import { noting, repeatNote } from '../../judging/repeat-gate.ts';
import type { ActionOutcome } from '../command-event.ts';
import type { RunnerDependencies } from '../runner-dependencies.ts';
import { denial } from '../outcome/outcome-of.ts';
import type { StepPerformers } from './performers.ts';

/** Judges calls: a new one, one with its lease in hand, and one that wrote what its call did not name. */
export function judging(
  parts: Pick<
    RunnerDependencies,
    'judge' | 'judgeAgain' | 'timesMade' | 'repeatLimits' | 'repeated' | 'takeCounters' | 'clock' | 'redact'
  >,
): StepPerformers<'judge' | 'check' | 'judgeWithheld'> {
  const { repeatLimits, clock } = parts;
  return {
    async judge({ call }, { context }) {
      const judgement = await parts.judge(call, context);
      const times = await parts.timesMade(call, context, judgement);
      const note = repeatNote(times, repeatLimits);
      if (judgement.kind === 'rejected') {
        const { title, args, outcome } = judgement;
        return [{ type: 'call.rejected', title, args, outcome: noting(outcome, note) }];
      }
      const { judged, ruling } = judgement;
      const classified: ActionOutcome = { type: 'call.classified', judged, note };
      if (ruling.kind === 'deny') {
        return [classified, { type: 'command.ended', outcome: noting(denial(ruling), note), ruling }];
      }
      const refusal = await parts.takeCounters(judgement);
      if (refusal !== undefined) return [classified, { type: 'command.ended', outcome: refusal }];
      if (times >= (repeatLimits.refuse ?? Infinity)) {
        return [classified, { type: 'command.ended', outcome: parts.repeated(times) }];
      }
      if (ruling.kind === 'ask') return [classified, { type: 'approval.needed', ruling }];
      return [classified, { type: 'ruling.allowed', ruling, at: clock.now() }];
    },

    /** With a lease in hand, judges once more: mode, policy or approval may have changed during the wait. */
    async check({ lease }, record) {
      const { ruling, why } = await parts.judgeAgain(record);
      if (ruling.kind === 'allow') return [{ type: 'start.allowed', lease, at: clock.now() }];
      if (ruling.kind === 'deny') return [{ type: 'command.ended', outcome: denial(ruling), ruling }];
      return [{ type: 'approval.needed', ruling, why }];
    },

    async judgeWithheld({ ran: { withheld = [] } }, record) {
      const { ruling } = await parts.judgeAgain(record);
      if (ruling.kind === 'deny') return [{ type: 'command.ended', outcome: denial(ruling), ruling }];
      const paths = withheld.flatMap(({ effect }) =>
        'path' in effect ? [parts.redact.text(effect.path)] : [],
      );
      return [{ type: 'approval.needed', ruling: asked(ruling), why: { because: 'writes', paths } }];
    },
  };
}

/** A rule that allows the line does not cover other changes it makes. */
function asked(ruling: Ruling): Ruling {
  if (ruling.kind === 'ask') return ruling;
  const { rule, source, reason } = ruling;
  return { kind: 'ask', rule, source, reason, approvers: 1 };
}
