import { matchesTool, type PlainPolicy } from '@signalbox/core';
import type { GatedCall } from '../gate.ts';

/** The texts of the policies that apply to this call, in the order of the settings. */
export function policiesFor(
  { call, context }: Pick<GatedCall, 'call' | 'context'>,
  policies: readonly PlainPolicy[],
): readonly string[] {
  return policies.flatMap((one) => {
    if (typeof one === 'string') return [one];
    const { policy, phases, tools, providers } = one;
    const applies =
      (phases?.includes(context.phase) ?? true) &&
      (tools?.some((pattern) => matchesTool(pattern, call.tool)) ?? true) &&
      (providers?.includes(context.provider) ?? true);
    return applies ? [policy] : [];
  });
}
