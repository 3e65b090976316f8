import { aProviderId } from '@signalbox/core/testing';
import type { GateDecision } from '@signalbox/core';
import type { CallGate, GateAnswer, GatedCall } from '../gate.ts';

export const ALLOW: GateDecision = {
  gate: 'adversarial',
  decision: 'allow',
  shadow: false,
  reason: 'no policy is violated',
  ms: 1,
  policy: null,
  provider: aProviderId('judge'),
  phase: 'executor',
  cached: false,
  version: 'v1',
  claimSource: null,
};
export const DENY: GateDecision = {
  ...ALLOW,
  decision: 'deny',
  policy: 'Never push',
  reason: 'violates "Never push"',
};
const UTILITY: GateDecision = {
  gate: 'utility',
  decision: 'allow',
  shadow: false,
  reason: 'useful',
  ms: 0,
  terms: {},
};

export const PASS: GateAnswer = { kind: 'pass', decision: ALLOW };
export const REFUSE: GateAnswer = {
  kind: 'refuse',
  decision: DENY,
  failure: {
    code: 'judged-denied',
    category: 'PolicyBlocked',
    message: 'Not run: no',
    visibility: 'visible',
  },
};

/** A gate that answers as a test says; `asked` are its calls. */
export function scriptedGate(
  answer: (call: GatedCall, signal: AbortSignal) => GateAnswer | Promise<GateAnswer> = () => PASS,
  overrides: Partial<CallGate> = {},
): CallGate & { readonly asked: GatedCall[] } {
  const asked: GatedCall[] = [];
  return {
    name: 'adversarial',
    asksModel: true,
    applies: () => true,
    async judge(call, signal) {
      asked.push(call);
      return answer(call, signal);
    },
    failure: { code: 'judge_unavailable', category: 'ServerError', suggestion: 'Try again' },
    stillCounts: (decision) => decision !== undefined,
    ...overrides,
    asked,
  };
}

/** A gate that answers at once. */
export function quickGate(
  answer: Parameters<typeof scriptedGate>[0] = () => ({ kind: 'pass', decision: UTILITY }),
): ReturnType<typeof scriptedGate> {
  return scriptedGate(answer, { name: 'utility', asksModel: false });
}
