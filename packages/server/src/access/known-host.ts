import { isIP } from 'node:net';

/** The headers that say where a request came from. */
export type Sender = {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly secFetchSite: string | undefined;
};

/**
 * Whether a request was meant for this server: its `Host` is one of our names, and the page that sent it is ours.
 *
 * A page of another site can make its own name resolve to 127.0.0.1 (DNS rebinding); the browser still sends that name
 * in `Host`. Our names are loopback, the host that the server listens on, and those that the operator allows.
 */
export function createHostCheck(allowed: readonly string[]): (sender: Sender) => 'ok' | 'host' | 'origin' {
  const names = new Set(['localhost', '127.0.0.1', '[::1]', ...allowed.map(bracketed)]);
  return ({ host, origin, secFetchSite }) => {
    const url = urlOf(`http://${host ?? ''}`);
    if (host === undefined || url === null || !names.has(url.hostname)) return 'host';
    if (secFetchSite !== undefined && !OWN_SITES.has(secFetchSite)) return 'origin';
    if (origin === undefined) return 'ok';
    const from = urlOf(origin);
    return from !== null && from.host === url.host ? 'ok' : 'origin';
  };
}

/** Our own page, and a person who typed or opened the address. */
const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none']);

function bracketed(name: string): string {
  return isIP(name) === 6 ? `[${name}]` : name.toLowerCase();
}

function urlOf(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
