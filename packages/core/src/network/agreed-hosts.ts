import type { Effect } from '../effect.ts';
import { coversHosts, type HostPattern, parseHostPattern, patternOfHost } from './host-pattern.ts';
import { NetworkProfile, profileOf } from './network-source.ts';

/** Hosts that a person agreed to: lines that reach no others need no approval. */
export type AgreedHosts = Readonly<Record<NetworkProfile, readonly HostPattern[]>>;

type NetworkEffect = Extract<Effect, { kind: 'network' }>;

/**
 * The patterns that a command may reach for this effect without an approval: the whole list that names its host. Empty
 * when no list does, or the host is unknown.
 */
export function agreedPatterns({ host, source }: NetworkEffect, agreed: AgreedHosts): readonly HostPattern[] {
  if (host === undefined) return [];
  const profiles = source === undefined ? NetworkProfile.options : [profileOf(source)];
  const list = profiles.map((profile) => agreed[profile]).find((patterns) => namesHost(patterns, host));
  return list ?? [];
}

/** On any port: the gate restricts the line to the ports of the patterns. */
function namesHost(patterns: readonly HostPattern[], host: string): boolean {
  const asked = parseHostPattern(patternOfHost(host) ?? '');
  if (asked === null) return false;
  return patterns.some((pattern) => {
    const rule = parseHostPattern(pattern);
    return rule !== null && coversHosts({ ...rule, ports: null }, asked);
  });
}
