import {
  type AgreedHosts,
  agreedPatterns,
  coveredHosts,
  type Effect,
  type ExecutionLimits,
  type HostPattern,
  type LoggedInTool,
  type NetworkAccess,
  patternOfHost,
  type ProviderId,
  type SandboxProfile,
  type Settings,
  type Tool,
  type Verdict,
} from '@signalbox/core';
import { createPathDenial, type LoggedInRead, switchedOnRead, toolPolicyOf } from '@signalbox/policy';
import { type LimitSettings, limitsFor } from './limits-for.ts';

/** What a command's processes may use and reach. */
export type Confinement = {
  readonly limits: ExecutionLimits;
  readonly limitSettings: LimitSettings;
  readonly network: NetworkAccess;
  readonly readableHome: readonly string[];
  /** The tool whose login it may use; null for none. */
  readonly login: LoggedInTool | null;
  /** Patterns of paths that it must not read, in addition to the built-in ones. */
  readonly denyRead: readonly string[];
  /** Labels a worker needs to run it. */
  readonly labels: readonly string[];
};

type NetworkEffect = Extract<Effect, { kind: 'network' }>;

type Subject = {
  readonly tool: Pick<Tool, 'name' | 'aliases' | 'shellLine'>;
  readonly provider: ProviderId;
  readonly verdict: Verdict | null;
  /** The shell line of tools that take one; null for all others. */
  readonly line: string | null;
  /** From the policy that let it run. */
  readonly agreed: AgreedHosts;
} & Parameters<typeof limitsFor>[1];

/** Combines the profiles of a command's provider and tool with the common sandbox: the strictest applies (S003-80). */
export function confinementOf(settings: Settings, subject: Subject): Confinement {
  const { sandbox, providers } = settings;
  const own = [providers[subject.provider]?.sandbox, toolPolicyOf(subject.tool, settings).sandbox];
  const profiles = own.filter((profile): profile is SandboxProfile => profile != null);
  const isNarrowed = profiles.some(({ network }) => network !== undefined);
  // A profile with network settings applies to its provider whatever else is enabled.
  const read = isNarrowed ? null : switchedOnRead(subject.line, settings);
  return {
    ...limitsFor(settings, subject),
    network: read === null ? networkOf(sandbox.network, profiles, subject) : networkOfRead(read),
    login: read?.tool ?? null,
    readableHome: profiles.reduce<readonly string[]>(
      (shown, { readable_home }) => shown.filter((path) => readable_home?.includes(path) ?? true),
      sandbox.readable_home,
    ),
    denyRead: profiles.flatMap(({ deny_read }) => deny_read ?? []),
    labels: [...new Set(profiles.flatMap(({ labels }) => labels ?? []))],
  };
}

type IsDenied = (path: string) => boolean;

/**
 * Creates the predicate for denied patterns; the same patterns give the same function, so it can be used as a cache
 * key. Null if there are no patterns.
 */
export function createDenials(context: {
  readonly workspace: string;
  readonly home?: string | undefined;
}): (patterns: readonly string[]) => IsDenied | null {
  const known = new Map<string, IsDenied>();
  return (patterns) => {
    if (patterns.length === 0) return null;
    const key = JSON.stringify(patterns);
    const isDenied = known.get(key) ?? createPathDenial(patterns, context);
    known.set(key, isDenied);
    return isDenied;
  };
}

type Common = Settings['sandbox'];

const STRICTNESS = ['all', 'approved', 'none'] as const;

function networkOf(
  common: Common['network'],
  profiles: readonly SandboxProfile[],
  { tool, verdict, agreed }: Subject,
): NetworkAccess {
  const given = [common, ...profiles.map(({ network }) => network ?? {})];
  const commands = STRICTNESS.findLast((one) => given.some((network) => network.commands === one));
  const lists = given.flatMap(({ hosts }) => (hosts == null ? [] : [hosts]));
  const named = (verdict?.effects ?? [])
    .filter((effect) => effect.kind === 'network')
    .filter((effect) => effect.optional !== true || isReached(effect, agreed, common));
  // A call that declares network use has been allowed by now.
  const isApproved = named.length > 0;
  // A local service that a person saw in the approval request is forwarded to that line, like the listed ones.
  const local = lists.reduce<readonly HostPattern[]>(coveredHosts, named.flatMap(localServiceOf));
  const services =
    tool.shellLine === undefined ? [] : [...new Set([...servicesOf(common, profiles), ...local])];
  const isForAll = commands === 'all' && tool.shellLine !== undefined && lists.length > 0;
  if (commands === 'none') return 'off';
  if (!isApproved && !isForAll) return services.length === 0 ? 'off' : { hosts: [], services };
  if (common.through === 'machine') return 'on';
  const shown = hostsOfVerdict(named, agreed);
  // A call that may have run without approval is limited to the agreed hosts in addition.
  const isAgreed = isApproved && named.every((effect) => agreedPatterns(effect, agreed).length > 0);
  const [first, ...others] = isAgreed ? [shown, ...lists] : lists;
  const hosts = first === undefined ? shown : others.reduce<readonly HostPattern[]>(bothOf, first);
  return services.length === 0 ? { hosts } : { hosts, services };
}

/** A build continues without its registries: it reaches them only with the gate and the current agreement. */
function isReached(effect: NetworkEffect, agreed: AgreedHosts, { through }: Common['network']): boolean {
  return through === 'gate' && agreedPatterns(effect, agreed).length > 0;
}

const LOCAL_SERVICE = /^(?:localhost|127\.0\.0\.1|\[::1\]):\d{1,5}$/;

function localServiceOf({ host = '' }: NetworkEffect): readonly HostPattern[] {
  return LOCAL_SERVICE.test(host) ? [host] : [];
}

/** A profile with a host list keeps only the services it lists. */
function servicesOf(
  { services }: Common['network'],
  profiles: readonly SandboxProfile[],
): readonly HostPattern[] {
  const lists = profiles.flatMap(({ network }) => (network?.hosts === undefined ? [] : [network.hosts]));
  return lists.reduce<readonly HostPattern[]>(coveredHosts, services);
}

/** The login is included, so nothing but its own hosts is reached. */
function networkOfRead({ hosts }: LoggedInRead): NetworkAccess {
  return hosts.length === 0 ? 'off' : { hosts };
}

/** The intersection of both lists, in the terms of the narrower one. */
function bothOf(one: readonly HostPattern[], other: readonly HostPattern[]): readonly HostPattern[] {
  return [...new Set([...coveredHosts(one, other), ...coveredHosts(other, one)])];
}

const EVERY_PUBLIC_HOST = ['*:*'];

/** The hosts a person saw when they allowed it, or agreed to once. */
function hostsOfVerdict(named: readonly NetworkEffect[], agreed: AgreedHosts): readonly HostPattern[] {
  const patterns = named.flatMap((effect) => {
    const listed = agreedPatterns(effect, agreed);
    if (listed.length > 0) return listed;
    const pattern = effect.host === undefined ? null : patternOfHost(effect.host);
    // An unnamed host may be any public one; a named one may be in this machine's own network.
    return pattern === null ? EVERY_PUBLIC_HOST : [pattern];
  });
  return [...new Set(patterns)];
}
