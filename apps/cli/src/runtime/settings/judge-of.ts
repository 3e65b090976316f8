import type { StatusView } from '@signalbox/api';
import type { Settings } from '@signalbox/core';

/** The model that judges calls by policies in plain words; null while none does. */
export function judgeOf({ tools: { adversarial_policy } }: Pick<Settings, 'tools'>): StatusView['judge'] {
  const { enabled, policy_provider: provider, policies, fail_open: failOpen, mode } = adversarial_policy;
  return enabled ? { provider, policies: policies.length, failOpen, shadow: mode === 'shadow' } : null;
}
