import {
  type AgreedHosts,
  agreedPatterns,
  type HostPattern,
  NetworkProfile,
  profileOf,
} from '@signalbox/core';
import type { ProjectHost, ProjectHosts } from '@signalbox/policy';

/** One list of hosts that lines may reach without approval. */
export type ImportProposal = Readonly<{
  profile: NetworkProfile;
  hosts: readonly (ProjectHost & { readonly isAgreed: boolean })[];
  /** Agreed to, but no longer named by any file of the project. */
  others: readonly string[];
}>;

/** New hosts by profile, with the addresses that must be named too. */
export type WantedRule = ReadonlyMap<NetworkProfile, readonly HostPattern[]>;

/** Hosts that the project names, next to those agreed to. */
export function proposalsOf({ all }: ProjectHosts, agreed: AgreedHosts): readonly ImportProposal[] {
  return NetworkProfile.options.map((profile) => {
    const named = all.filter(({ source }) => profileOf(source) === profile);
    const hosts = [...new Map(named.map((one) => [one.pattern, one])).values()].map((one) => ({
      ...one,
      isAgreed: agreedPatterns({ kind: 'network', host: one.host, source: one.source }, agreed).length > 0,
    }));
    const patterns = new Set(named.map(({ pattern }) => pattern));
    return { profile, hosts, others: agreed[profile].filter((pattern) => !patterns.has(pattern)) };
  });
}

export function newHosts({ hosts }: ImportProposal): readonly string[] {
  return hosts.filter(({ isAgreed }) => !isAgreed).map(({ pattern }) => pattern);
}
