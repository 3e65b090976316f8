import { isIP } from 'node:net';

/** What a request says about where it came from. */
export type Sender = {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly secFetchSite: string | undefined;
};

/**
 * Whether a request was meant for us: its `Host` is a name that we answer to, and a page that sent it is ours.
 *
 * A page of another site can make its own name point at 127.0.0.1 (DNS rebinding); the browser then tells the
 * truth in `Host`. Names: loopback, what the server was told to listen on, and those allowed by the operator.
 */
export function createHostCheck(allowed: readonly string[]): (sender: Sender) => 'ok' | 'host' | 'origin' {
  const names = new Set(['localhost', '127.0.0.1', '[::1]', ...allowed.map(bracketed)]);
  return ({ host, origin, secFetchSite }) => {
    const url = urlOf(`http://${host ?? ''}`);
    if (host === undefined || url === null || !names.has(url.hostname)) return 'host';
    if (secFetchSite === 'cross-site' || secFetchSite === 'same-site') return 'origin';
    if (origin === undefined) return 'ok';
    const from = urlOf(origin);
    return from !== null && from.host === url.host ? 'ok' : 'origin';
  };
}

function bracketed(name: string): string {
  return isIP(name) === 6 ? `[${name}]` : name.toLowerCase();
}

function urlOf(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
