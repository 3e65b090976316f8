import { type IpAddress, isInRange, parseAddressRange } from '@signalbox/core';

/** All public IPv6 addresses are in this range (IANA, IPv6 Global Unicast Address Space). */
const GLOBAL_6 = ranges('2000::/3');

/**
 * Ranges that aren't public: IANA's special-purpose registries (RFC 6890), multicast and reserved ones.
 * Includes IPv6 addresses that embed an IPv4 one, as nothing needs that detour.
 */
const SPECIAL = ranges(`
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
  2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20
`);

/** Whether an address is public, not private, local or reserved. */
export function isPublicAddress(address: IpAddress): boolean {
  const isGlobal = address.family === 4 || GLOBAL_6.some((range) => isInRange(address, range));
  return isGlobal && !SPECIAL.some((range) => isInRange(address, range));
}

function ranges(text: string): NonNullable<ReturnType<typeof parseAddressRange>>[] {
  return text
    .trim()
    .split(/\s+/)
    .flatMap((range) => parseAddressRange(range) ?? []);
}
