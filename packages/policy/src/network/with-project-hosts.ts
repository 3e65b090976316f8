import type { Effect, NetworkSource, Verdict } from '@signalbox/core';

/** The present hosts of a source in the project's files, in the spelling of effects. */
export type HostsOfSource = (source: NetworkSource) => readonly string[];

/**
 * The same verdict with "the project's registries" or "its remotes" replaced by their hosts: what a person is asked
 * about, what an approval covers, and what the gate lets the command reach. When the project names none they stay
 * unknown.
 */
export function withProjectHosts(verdict: Verdict, hostsOf: HostsOfSource): Verdict {
  if (!verdict.effects.some(isOpen)) return verdict;
  return { ...verdict, effects: verdict.effects.flatMap((effect) => closed(effect, hostsOf)) };
}

type OpenEffect = Extract<Effect, { kind: 'network' }> & { readonly source: NetworkSource };

function isOpen(effect: Effect): effect is OpenEffect {
  return effect.kind === 'network' && effect.source !== undefined && effect.host === undefined;
}

function closed(effect: Effect, hostsOf: HostsOfSource): readonly Effect[] {
  if (!isOpen(effect)) return [effect];
  const hosts = hostsOf(effect.source);
  return hosts.length === 0 ? [effect] : hosts.map((host) => ({ ...effect, host }));
}
