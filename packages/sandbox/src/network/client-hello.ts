/** The kind of the first bytes of a tunnel. */
export type TunnelStart =
  /** Too few bytes to tell. */
  | { readonly kind: 'incomplete' }
  /** TLS; null if the client names no server. */
  | { readonly kind: 'tls'; readonly serverName: string | null }
  /** HTTP/1; null unless it has exactly one `Host`. */
  | { readonly kind: 'http'; readonly host: string | null }
  | { readonly kind: 'unknown' };

/** A hello takes about 2 KiB with post-quantum keys, a request head up to 16 KiB. */
export const MAX_OPENING_BYTES = 64 * 1024;

const HANDSHAKE_RECORD = 22;
const MAX_RECORD_BYTES = 2 ** 14;
const CLIENT_HELLO = 1;
/** The length of version and random bytes. */
const FIXED_BYTES = 34;
const SERVER_NAME_EXTENSION = 0;
const HOST_NAME = 0;

const UNKNOWN: TunnelStart = { kind: 'unknown' };
const INCOMPLETE: TunnelStart = { kind: 'incomplete' };

/** Parses the beginning of a tunnel (RFC 8446 §4.1.2, RFC 6066 §3). Each call reads every byte at most once. */
export function readOpening(bytes: Buffer): TunnelStart {
  if (bytes.length === 0) return INCOMPLETE;
  return bytes[0] === HANDSHAKE_RECORD ? readTls(bytes) : readHttp(bytes);
}

function readTls(bytes: Buffer): TunnelStart {
  const fragments: Buffer[] = [];
  let size = 0;
  for (let at = 0; at < bytes.length;) {
    if (bytes[at] !== HANDSHAKE_RECORD) return UNKNOWN;
    if (at + 1 < bytes.length && bytes[at + 1] !== 3) return UNKNOWN;
    if (at + 5 > bytes.length) return INCOMPLETE;
    const length = bytes.readUInt16BE(at + 3);
    if (length === 0 || length > MAX_RECORD_BYTES) return UNKNOWN;
    const fragment = bytes.subarray(at + 5, at + 5 + length);
    fragments.push(fragment);
    size += fragment.length;
    at += 5 + length;
    const first = fragments[0]?.[0];
    if (first !== undefined && first !== CLIENT_HELLO) return UNKNOWN;
    if (size < 4) continue;
    const handshake = Buffer.concat(fragments);
    const end = 4 + handshake.readUIntBE(1, 3);
    if (end > MAX_OPENING_BYTES) return UNKNOWN;
    if (size >= end) return readHello(handshake.subarray(4, end));
  }
  return INCOMPLETE;
}

function readHello(hello: Buffer): TunnelStart {
  try {
    let at = FIXED_BYTES;
    at += 1 + hello.readUInt8(at);
    at += 2 + hello.readUInt16BE(at);
    at += 1 + hello.readUInt8(at);
    if (at === hello.length) return { kind: 'tls', serverName: null };
    const end = at + 2 + hello.readUInt16BE(at);
    if (end !== hello.length) return UNKNOWN;
    const names: string[] = [];
    for (at += 2; at < end;) {
      const start = at + 4;
      const extension = hello.subarray(start, start + hello.readUInt16BE(at + 2));
      if (hello.readUInt16BE(at) === SERVER_NAME_EXTENSION) names.push(nameIn(extension));
      at = start + hello.readUInt16BE(at + 2);
    }
    // With two names the destination would be ambiguous.
    return names.length > 1 || at !== end ? UNKNOWN : { kind: 'tls', serverName: names[0] ?? null };
  } catch {
    return UNKNOWN;
  }
}

/** @throws {RangeError} unless it is a list of exactly one name */
function nameIn(list: Buffer): string {
  const isOne = list.readUInt16BE(0) === list.length - 2 && list.readUInt8(2) === HOST_NAME;
  if (!isOne || list.readUInt16BE(3) !== list.length - 5) throw new RangeError('not one name');
  return list.toString('latin1', 5);
}

const METHOD = /^[A-Z]{1,20}$/;
const REQUEST_LINE = /^[A-Z]{1,20} \S+ HTTP\/1\.[01]$/;

function readHttp(bytes: Buffer): TunnelStart {
  const text = bytes.toString('latin1');
  const method = text.slice(0, 21).split(' ', 1)[0] ?? '';
  if (!METHOD.test(method)) return UNKNOWN;
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return INCOMPLETE;
  const [line = '', ...headers] = text.slice(0, end).split('\r\n');
  if (!REQUEST_LINE.test(line)) return UNKNOWN;
  const hosts = headers.flatMap((header) => {
    const found = /^host:[ \t]*(?:(\S+)[ \t]*)?$/i.exec(header);
    // An empty one counts too: two are ambiguous.
    return found === null ? [] : [found[1] ?? ''];
  });
  return { kind: 'http', host: hosts.length === 1 ? (hosts[0] ?? null) : null };
}
