import type { CoordinatorOptions } from '../coordinator-options.ts';
import { createGrounding, type GroundingParts } from '../grounding/grounding.ts';
import { createGateChain } from './gate-chain.ts';
import { createUtilityGate } from './utility/utility-gate.ts';

/** What is asked of a call besides the policy, by the settings. */
export function createCallChecks(
  options: CoordinatorOptions,
  own: Pick<GroundingParts, 'before' | 'denialOf' | 'redact'>,
) {
  const utility = createUtilityGate(options);
  const gates = [...(utility === undefined ? [] : [utility.gate]), ...(options.gates ?? [])];
  return {
    grounding: createGrounding({ ...options, ...own }),
    utility,
    gates: createGateChain(gates, options.logger),
  };
}
