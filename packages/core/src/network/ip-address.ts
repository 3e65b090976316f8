/** An address as a number, so that ranges are comparisons. */
export type IpAddress = { readonly family: 4 | 6; readonly value: bigint };

/** All addresses whose first `prefix` bits are those of `address`. */
export type AddressRange = { readonly address: IpAddress; readonly prefix: number };

const BITS = { 4: 32, 6: 128 } as const;

/** Reads `127.0.0.1` and `::1`, in the spellings of RFC 4291 only; null for anything else. */
export function parseIpAddress(text: string): IpAddress | null {
  return text.includes(':') ? parseVersion6(text) : parseVersion4(text);
}

/** Reads `10.0.0.0/8` and `fd00::/8`; an address alone is a range of one. */
export function parseAddressRange(text: string): AddressRange | null {
  const [written = '', length, ...rest] = text.split('/');
  const address = parseIpAddress(written);
  if (address === null || rest.length > 0) return null;
  if (length === undefined) return { address, prefix: BITS[address.family] };
  if (!/^\d{1,3}$/.test(length) || Number(length) > BITS[address.family]) return null;
  return { address, prefix: Number(length) };
}

export function isInRange(address: IpAddress, range: AddressRange): boolean {
  if (address.family !== range.address.family) return false;
  const free = BigInt(BITS[address.family] - range.prefix);
  return address.value >> free === range.address.value >> free;
}

function parseVersion4(text: string): IpAddress | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) {
    return null;
  }
  return { family: 4, value: parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n) };
}

function parseVersion6(text: string): IpAddress | null {
  const sides = text.split('::');
  if (sides.length > 2) return null;
  const [head, tail] = sides.map((side) => groupsOf(side));
  if (head === undefined || head === null || tail === null) return null;
  const gap = 8 - head.length - (tail?.length ?? 0);
  // `::` replaces at least one group; without it all eight are written.
  if (tail === undefined ? gap !== 0 : gap < 1) return null;
  const groups = [...head, ...Array.from({ length: gap }, () => 0), ...(tail ?? [])];
  return { family: 6, value: groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n) };
}

/** The last two groups may be written as an IPv4 address. */
function groupsOf(side: string): number[] | null {
  if (side === '') return [];
  const words = side.split(':');
  const last = words.at(-1) ?? '';
  const embedded = last.includes('.') ? parseVersion4(last) : null;
  const plain = embedded === null ? words : words.slice(0, -1);
  if (!plain.every((word) => /^[0-9a-f]{1,4}$/i.test(word))) return null;
  const groups = plain.map((word) => Number.parseInt(word, 16));
  return embedded === null
    ? groups
    : [...groups, Number(embedded.value >> 16n), Number(embedded.value & 0xffffn)];
}
