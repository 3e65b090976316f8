import { type HostPattern, parseHost, parseHostPattern, parseIpAddress } from '@signalbox/core';
import type { Resolve } from './admission.ts';
import { isPublicAddress } from './public-address.ts';
import { resolveByMachine } from './resolve.ts';

/**
 * The addresses that must be listed in addition to a host with only private addresses, such as a company
 * registry. Otherwise the gate rejects it, since DNS could point a name anywhere.
 */
export async function privateAddressesOf(
  pattern: HostPattern,
  resolve: Resolve = resolveByMachine,
): Promise<readonly HostPattern[]> {
  const rule = parseHostPattern(pattern);
  const [, written = '', port = ''] = /^(.*?)(:(?:\*|\d{1,5}))?$/s.exec(pattern) ?? [];
  const host = parseHost(written);
  if (rule?.hosts.kind !== 'name' || host === null || /(?:^|\.)localhost$/.test(host.text)) return [];
  const addresses = (await resolve(host.text)).flatMap((text) => {
    const address = parseIpAddress(text);
    return address === null ? [] : [{ text, isPublic: isPublicAddress(address) }];
  });
  if (addresses.some(({ isPublic }) => isPublic)) return [];
  return addresses.map(({ text }) => `${text.includes(':') ? `[${text}]` : text}${port}`);
}
