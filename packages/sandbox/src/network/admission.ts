import {
  describeTarget,
  type HostPattern,
  type HostRule,
  isLocalhost,
  isNamed,
  parseHostPattern,
  parseIpAddress,
  type Target,
} from '@signalbox/core';
import { isPublicAddress } from './public-address.ts';

/** Resolves a name with the machine's resolver; empty if it has no address. */
export type Resolve = (name: string) => Promise<readonly string[]>;

export type Admission =
  /** The only addresses to connect to: resolving again could return others. */
  | { readonly kind: 'admitted'; readonly addresses: readonly [string, ...string[]] }
  | { readonly kind: 'refused' | 'failed'; readonly why: string };

export type AdmitTarget = (target: Target) => Promise<Admission>;

/** Never resolved by DNS, which could answer something else. */
const LOOPBACK = ['127.0.0.1', '::1'] as const;
const MAX_LISTED = 10;

/**
 * Decides which hosts a command may connect to: first by the name it used, then by the addresses of that name.
 * An allowed name may lead to public addresses only, unless its address is listed itself. So DNS answers can't
 * point it at this machine or its network.
 */
export function createAdmission(hosts: readonly HostPattern[], resolve: Resolve): AdmitTarget {
  const rules = hosts.flatMap((pattern) => parseHostPattern(pattern) ?? []);
  const particular = rules.filter((rule) => rule.hosts.kind !== 'any');

  return async (target) => {
    const { host } = target;
    if (!isNamed(target, isLocalhost(host) ? particular : rules)) {
      return { kind: 'refused', why: whyNotNamed(target, hosts) };
    }
    if (host.kind === 'address') return { kind: 'admitted', addresses: [host.text] };
    if (isLocalhost(host)) return { kind: 'admitted', addresses: LOOPBACK };
    const found = await resolve(host.text);
    const [first, ...others] = found.filter((text) => isAllowed(text, target.port, { rules }));
    if (first !== undefined) return { kind: 'admitted', addresses: [first, ...others] };
    const [other] = found;
    if (other === undefined) return { kind: 'failed', why: `the name "${host.text}" has no address` };
    return {
      kind: 'refused',
      why: `"${host.text}" resolves to the private or reserved address ${other}, which must be named itself (for example in sandbox.network.hosts)`,
    };
  };
}

function isAllowed(text: string, port: number, { rules }: Readonly<{ rules: readonly HostRule[] }>): boolean {
  const address = parseIpAddress(text);
  if (address === null) return false;
  return isPublicAddress(address) || isNamed({ host: { kind: 'address', text, address }, port }, rules);
}

function whyNotNamed(target: Target, hosts: readonly HostPattern[]): string {
  const listed = hosts.slice(0, MAX_LISTED).join(', ');
  const more = hosts.length > MAX_LISTED ? `, and ${hosts.length - MAX_LISTED} more` : '';
  const asked = `"${describeTarget(target)}" is not among the hosts of this command`;
  return `${asked}: ${hosts.length === 0 ? 'none' : listed + more}`;
}
