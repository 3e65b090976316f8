import * as z from 'zod';
import { describeTarget, type Host, parseHost, parseTarget, type Target } from './host.ts';
import { type AddressRange, isInRange, parseAddressRange } from './ip-address.ts';

type Hosts =
  /** Every name; no address. */
  | { readonly kind: 'any' }
  | { readonly kind: 'name'; readonly name: string }
  /** Every name below this one, not itself. */
  | { readonly kind: 'below'; readonly name: string }
  | { readonly kind: 'range'; readonly range: AddressRange };

export type HostRule = {
  readonly hosts: Hosts;
  /** Null: every port. */
  readonly ports: readonly number[] | null;
};

const WEB_PORTS: readonly number[] = [80, 443];

/**
 * Hosts of settings: `example.com`, `*.example.com` (all below it), `*` (every public name), `127.0.0.1`, `[::1]`,
 * `10.0.0.0/8`, `[fd00::]/8`. A port may follow (`example.com:8443`, `localhost:*` for all ports); without one the
 * ports 80 and 443 are meant.
 *
 * A name matches its public addresses. An address of a private range must be listed itself.
 */
export const HostPattern = z
  .string()
  .min(1)
  .max(300)
  .refine((pattern) => parseHostPattern(pattern) !== null, {
    error: 'must be a host: "example.com", "*.example.com", "localhost:3000", "10.0.0.0/8:*" or "*"',
  });
export type HostPattern = z.infer<typeof HostPattern>;

/** Null when it is not a pattern. */
export function parseHostPattern(pattern: string): HostRule | null {
  const [, written = '', port] = /^(.*?)(?::(\*|\d{1,5}))?$/s.exec(pattern) ?? [];
  const hosts = parseHosts(written);
  if (hosts === null) return null;
  if (port === '*') return { hosts, ports: null };
  if (port === undefined) return { hosts, ports: WEB_PORTS };
  return Number(port) >= 1 && Number(port) <= 65_535 ? { hosts, ports: [Number(port)] } : null;
}

/** Whether the list names this host by the spelling that was used, and its port. */
export function isNamed(target: Target, rules: readonly HostRule[]): boolean {
  return rules.some(({ hosts, ports }) => hasPort(ports, target.port) && isAmong(target.host, hosts));
}

/** Whether `outer` matches everything that `inner` matches. */
export function coversHosts(outer: HostRule, inner: HostRule): boolean {
  const everyPort =
    outer.ports === null || (inner.ports?.every((port) => hasPort(outer.ports, port)) ?? false);
  return everyPort && coversNames(outer.hosts, inner.hosts);
}

/** The patterns whose hosts are all matched by the other list. */
export function coveredHosts(
  inner: readonly HostPattern[],
  outer: readonly HostPattern[],
): readonly HostPattern[] {
  const rules = outer.flatMap((pattern) => parseHostPattern(pattern) ?? []);
  return inner.filter((pattern) => {
    const rule = parseHostPattern(pattern);
    return rule !== null && rules.some((wider) => coversHosts(wider, rule));
  });
}

/**
 * A pattern for one host, on its port or on every one, from a host that another parser has read. Null when it is not a
 * host.
 */
export function patternOfHost(written: string): HostPattern | null {
  const host = parseHost(written);
  const target = parseTarget(written);
  if (target !== null) return describeTarget(target);
  if (host === null) return null;
  return describeTarget({ host, port: 1 }).replace(/:1$/, ':*');
}

function parseHosts(written: string): Hosts | null {
  if (written === '*') return { kind: 'any' };
  if (written.startsWith('*.')) {
    const host = parseHost(written.slice(2));
    return host?.kind === 'name' ? { kind: 'below', name: host.text } : null;
  }
  const range = parseAddressRange(written.replace(/^\[(.*)\](?=\/|$)/, '$1'));
  if (range !== null) return isBare6(written) ? null : { kind: 'range', range };
  const host = parseHost(written);
  return host?.kind === 'name' ? { kind: 'name', name: host.text } : null;
}

/** Without brackets the end of the address can't be told from a port. */
function isBare6(written: string): boolean {
  return written.includes(':') && !written.startsWith('[');
}

function hasPort(ports: HostRule['ports'], port: number): boolean {
  return ports === null || ports.includes(port);
}

function isAmong(host: Host, hosts: Hosts): boolean {
  switch (hosts.kind) {
    case 'any':
      return host.kind === 'name';
    case 'name':
      return host.kind === 'name' && host.text === hosts.name;
    case 'below':
      return host.kind === 'name' && host.text.endsWith(`.${hosts.name}`);
    case 'range':
      return host.kind === 'address' && isInRange(host.address, hosts.range);
  }
}

function coversNames(outer: Hosts, inner: Hosts): boolean {
  switch (inner.kind) {
    case 'any':
      return outer.kind === 'any';
    case 'name':
      return isAmong({ kind: 'name', text: inner.name }, outer);
    case 'below':
      return (
        outer.kind === 'any' ||
        (outer.kind === 'below' && (inner.name === outer.name || inner.name.endsWith(`.${outer.name}`)))
      );
    case 'range':
      return (
        outer.kind === 'range' &&
        outer.range.prefix <= inner.range.prefix &&
        isInRange(inner.range.address, outer.range)
      );
  }
}
