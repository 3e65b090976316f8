import {
  type AgreedHosts,
  agreedPatterns,
  HostPattern,
  type NetworkProfile,
  profileOf,
  type Settings,
} from '@signalbox/core';
import type { Policy, ProjectHosts, Question } from '@signalbox/policy';
import { privateAddressesOf } from '@signalbox/sandbox';
import { parse } from 'yaml';
import * as z from 'zod';
import type { WantedRule } from './proposals.ts';
import type { HostListChange } from './store-agreed.ts';

const Hosts = z.array(HostPattern).min(1).max(200);

/** What a user agrees to while answering an approval, beyond a rule. */
export const Agreement = z.strictObject({
  id: z.literal('agree-to-hosts'),
  agree: z.strictObject({ packages: Hosts.optional(), remotes: Hosts.optional() }),
});
export type Agreement = z.infer<typeof Agreement>;

/** Parses the agreement; null if the text is none. */
export function readAgreement(typed: string): Agreement | null {
  try {
    const value: unknown = parse(typed);
    const entries: unknown =
      typeof value === 'object' && value !== null && 'rules' in value ? value.rules : value;
    return (
      Agreement.safeParse(Array.isArray(entries) && entries.length === 1 ? entries[0] : entries).data ?? null
    );
  } catch {
    return null;
  }
}

/** The project's hosts in this approval, if agreeing to them would have allowed the call; null otherwise. */
export async function proposeAgreement(
  question: Question,
  world: {
    readonly settings: Settings;
    readonly hosts: () => ProjectHosts;
    readonly policyOf: (settings: Settings) => Pick<Policy, 'rule'>;
  },
): Promise<Agreement | null> {
  const { settings } = world;
  const { agreed } = settings.sandbox.network;
  const found = world.hosts();
  const named = new Map<NetworkProfile, HostPattern[]>();
  for (const effect of question.verdict.effects) {
    if (effect.kind !== 'network' || agreedPatterns(effect, agreed).length > 0) continue;
    const { host, source } = effect;
    if (host === undefined || source === undefined) return null;
    const pattern = found.of(source).find((one) => one.host === host)?.pattern ?? host;
    named.set(profileOf(source), [...(named.get(profileOf(source)) ?? []), pattern]);
  }
  if (named.size === 0) return null;
  const agree = Object.fromEntries(withAddresses(named, await addressesOf(named))) as Agreement['agree'];
  const isAnswer = world.policyOf(settingsWith(settings, agree)).rule(question).kind === 'allow';
  return isAnswer ? { id: 'agree-to-hosts', agree } : null;
}

/** The settings with that agreement. */
export function settingsWith(settings: Settings, agree: Agreement['agree']): Settings {
  const { network } = settings.sandbox;
  const lists = Object.entries(joined(network.agreed, wantedOf(agree)));
  const agreed = {
    ...network.agreed,
    ...Object.fromEntries(lists.map(([profile, hosts]) => [profile, [...hosts]])),
  };
  return { ...settings, sandbox: { ...settings.sandbox, network: { ...network, agreed } } };
}

export function wantedOf({ packages = [], remotes = [] }: Agreement['agree']): WantedRule {
  const lists: readonly (readonly [NetworkProfile, readonly HostPattern[]])[] = [
    ['packages', packages],
    ['remotes', remotes],
  ];
  return new Map(lists.filter(([, hosts]) => hosts.length > 0));
}

/** Addresses of hosts outside the public internet, by host: the gate requires them by name. */
export async function addressesOf(wanted: WantedRule): Promise<Addresses> {
  const hosts = [...new Set([...wanted.values()].flat())];
  return new Map(
    await Promise.all(hosts.map(async (host) => [host, await privateAddressesOf(host)] as const)),
  );
}

export type Addresses = ReadonlyMap<HostPattern, readonly HostPattern[]>;

export function withAddresses(wanted: WantedRule, addresses: Addresses): WantedRule {
  const whole = [...wanted].map(([profile, hosts]) => {
    const more = hosts.flatMap((host) => addresses.get(host) ?? []);
    return [profile, [...new Set([...hosts, ...more])]] as const;
  });
  return new Map(whole.filter(([, hosts]) => hosts.length > 0));
}

/** The lists with that agreement. */
export function joined(agreed: AgreedHosts, wanted: WantedRule): HostListChange {
  return Object.fromEntries(
    [...wanted].map(([profile, hosts]) => [profile, [...new Set([...agreed[profile], ...hosts])]]),
  );
}
