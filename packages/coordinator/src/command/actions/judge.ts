import { type CommandRecord, type Failure, InvariantError, type Ruling } from '@signalbox/core';
import { noting, repeatNote } from '../../judging/repeat-gate.ts';
import type { ActionOutcome, Request } from '../command-event.ts';
import type { RunnerDependencies } from '../runner-dependencies.ts';
import { denial } from '../outcome/outcome-of.ts';
import { gating } from './gates.ts';
import type { StepPerformers } from './performers.ts';

/** Judges calls: a new one, one with its lease in hand, and one that wrote what its call did not name. */
export function judging(
  parts: Pick<
    RunnerDependencies,
    | 'judge'
    | 'judgeAgain'
    | 'timesMade'
    | 'repeatLimits'
    | 'repeated'
    | 'takeCounters'
    | 'grounding'
    | 'utility'
    | 'gates'
    | 'clock'
    | 'redact'
  >,
  send: (request: Request) => Promise<unknown>,
): StepPerformers<'judge' | 'askGates' | 'stopGates' | 'proceed' | 'check' | 'judgeWithheld'> {
  const { repeatLimits, clock, gates } = parts;

  function continueWith(ruling: Ruling): ActionOutcome {
    return ruling.kind === 'ask'
      ? { type: 'approval.needed', ruling }
      : { type: 'ruling.allowed', ruling, at: clock.now() };
  }

  /** Gates that answer at once are asked here; for those that ask a model the command waits in a state of its own. */
  async function throughGates(
    classified: ActionOutcome & { type: 'call.classified' },
    { ruling, record }: { readonly ruling: Ruling; readonly record: CommandRecord },
  ): Promise<readonly ActionOutcome[]> {
    const { context } = record;
    const call = { ...classified.judged, context };
    const all = gates.of(call);
    const quick = all.filter(({ asksModel }) => !asksModel);
    const waits = all.length > quick.length || gates.turns.isBusy(context.sessionId);
    // Before anything is awaited: later calls of the session must not overtake it.
    if (waits) void gates.turns.enter(record);
    const answer = await gates.ask(quick, { call, signal: new AbortController().signal });
    const known = { ...classified, answer };
    if (answer.failure !== undefined) {
      return [known, refusedByGate(answer.failure)];
    }
    return [known, waits ? { type: 'gates.needed', ruling } : continueWith(ruling)];
  }

  return {
    ...gating(parts, send),

    async judge({ call }, record) {
      const { context } = record;
      const judgement = await parts.judge(call, context);
      const times = parts.timesMade(call, context, judgement);
      const note = repeatNote(times, repeatLimits);
      if (judgement.kind === 'rejected') {
        const { title, args, outcome } = judgement;
        return [{ type: 'call.rejected', title, args, outcome: noting(outcome, note) }];
      }
      const { ruling } = judgement;
      const suspects = await parts.grounding?.suspectsOf(judgement, record);
      const judged = suspects === undefined ? judgement.judged : { ...judgement.judged, suspects };
      const classified = { type: 'call.classified', judged, note } as const;
      if (ruling.kind === 'deny') {
        return [classified, { type: 'command.ended', outcome: noting(denial(ruling), note), ruling }];
      }
      const refusal = await parts.takeCounters(judgement);
      if (refusal !== undefined) return [classified, { type: 'command.ended', outcome: refusal }];
      if (times >= (repeatLimits.refuse ?? Infinity)) {
        return [classified, { type: 'command.ended', outcome: parts.repeated(times) }];
      }
      parts.utility?.noteJudged({ ...judged, context });
      const isUngated = gates.of({ ...judged, context }).length === 0;
      if (isUngated && !gates.turns.isBusy(context.sessionId)) return [classified, continueWith(ruling)];
      return throughGates(classified, { ruling, record });
    },

    proceed({ failure }, { id, ruling }) {
      if (failure !== undefined) return [refusedByGate(failure)];
      if (ruling === null) throw new InvariantError(`Cannot continue ${id}: it has no ruling`);
      return [continueWith(ruling)];
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

/** Its refusal is the ruling from now on, not the one of the policy, which let the call through. */
function refusedByGate(failure: Failure): ActionOutcome {
  const { code: rule, message: reason } = failure;
  const ruling = { kind: 'deny', outcome: 'denied', rule, source: 'built in', reason, failure } as const;
  return { type: 'command.ended', outcome: denial(ruling), ruling };
}

/** A rule that allows the line does not cover other changes it makes. */
function asked(ruling: Ruling): Ruling {
  if (ruling.kind === 'ask') return ruling;
  const { rule, source, reason } = ruling;
  return { kind: 'ask', rule, source, reason, approvers: 1 };
}
