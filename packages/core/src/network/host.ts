import { type IpAddress, parseIpAddress } from './ip-address.ts';

/** A host in its canonical spelling, which is compared, resolved and shown. */
export type Host =
  /** Lower case, in ASCII, without the final dot. */
  | { readonly kind: 'name'; readonly text: string }
  /** `text` as URLs write it, without brackets. */
  | { readonly kind: 'address'; readonly text: string; readonly address: IpAddress };

export type Target = { readonly host: Host; readonly port: number };

/** Characters that could make two readers see two hosts: user names, paths, escapes, blanks. */
const AMBIGUOUS = /[\s/\\?#@%<>^|`{}"']|\p{Cc}/u;
const NAME = /^(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

/**
 * Reads a host as a browser would: `EXAMPLE.com.` is `example.com`, `bücher.example` is `xn--bcher-kva.example`, and
 * `0x7f.1` is the address 127.0.0.1. Null when it is not a host, or is ambiguous.
 */
export function parseHost(written: string): Host | null {
  if (written === '' || written.length > 1024 || AMBIGUOUS.test(written)) return null;
  const isBracketed = written.startsWith('[');
  if (written.includes(':') && !isBracketed) return null;
  const url = URL.parse(`http://${written}/`);
  if (url === null || url.port !== '' || url.pathname !== '/') return null;
  if (isBracketed && !written.endsWith(']')) return null;
  return isBracketed ? addressOf(url.hostname.slice(1, -1)) : nameOrAddress(url.hostname);
}

/** Reads `example.com:443` and `[::1]:80`, as in CONNECT; `defaultPort` applies when none is written. */
export function parseTarget(written: string, defaultPort: number | null = null): Target | null {
  const [, name = '', digits] = /^(.*?)(?::(\d{1,5}))?$/s.exec(written) ?? [];
  const host = parseHost(name);
  const port = digits === undefined ? defaultPort : Number(digits);
  if (host === null || port === null || port < 1 || port > 65_535) return null;
  return { host, port };
}

/** As in a URL: `example.com:443`, `[::1]:80`. */
export function describeTarget({ host, port }: Target): string {
  return `${host.text.includes(':') ? `[${host.text}]` : host.text}:${port}`;
}

/** This machine: `localhost` and all names below it (RFC 6761). */
export function isLocalhost(host: Host): boolean {
  return host.kind === 'name' && (host.text === 'localhost' || host.text.endsWith('.localhost'));
}

function nameOrAddress(hostname: string): Host | null {
  const text = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  const found = addressOf(text);
  if (found !== null) return found;
  return text.length <= 253 && NAME.test(text) ? { kind: 'name', text } : null;
}

function addressOf(text: string): Host | null {
  const address = parseIpAddress(text);
  return address === null ? null : { kind: 'address', text, address };
}
