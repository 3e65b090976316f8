import { describeTarget, type HostPattern, parseHost } from '@signalbox/core';

/** A host as a project's file writes it. */
export type WrittenHost = Readonly<{
  /** In the spelling of effects. */
  host: string;
  /** With its port, unless that is one of the web. */
  pattern: HostPattern;
}>;

const URL = /^(?:[a-z]+\+)?([a-z]+):\/\/(?:[^@/]*@)?(\[[^\]/]*\]|[^:/?#]*)(?::(\d{1,5}))?(?:[/?#]|$)/i;
/** `git@host:path`. */
const BY_SSH = /^[\w.-]+@([\w.-]+):/;
/** `github:a/b`, or `a/b` where a package is expected. */
const FORGES: ReadonlyMap<string, readonly string[]> = new Map([
  ['github:', ['github.com', 'codeload.github.com']],
  ['gitlab:', ['gitlab.com']],
  ['bitbucket:', ['bitbucket.org']],
]);

/** The hosts of an address; empty for what is not an address, or contains a variable. */
export function hostsOfAddress(address: string): readonly WrittenHost[] {
  const forge = FORGES.get(address.slice(0, address.indexOf(':') + 1));
  if (forge !== undefined) return forge.map((host) => ({ host, pattern: host }));
  const [, scheme = 'ssh', named, port] = URL.exec(address) ?? [];
  const written = named ?? BY_SSH.exec(address)?.[1];
  const host = parseHost(written ?? '');
  if (host === null || scheme.toLowerCase() === 'file') return [];
  const text = describeTarget({ host, port: 1 }).replace(/:1$/, '');
  // The gate carries HTTP: a remote over ssh means the same host over https.
  const isWeb = port === undefined || /^(?:80|443)$/.test(port) || scheme.toLowerCase() === 'ssh';
  return [{ host: text, pattern: isWeb ? text : `${text}:${port}` }];
}
