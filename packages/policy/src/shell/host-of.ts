import { describeTarget, type Effect, parseHost } from '@signalbox/core';
import { textOf, type Value } from './word.ts';

/** The only parser of hosts on a line: an ambiguous host is unknown, which rules hold back. */
export function hostOf(text: string): string | undefined {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(text)?.[0];
  const address = text.slice(scheme?.length ?? 0);
  const authority = address.slice(0, end(address, /[/?#]/));
  const pieces = authority.split('@');
  const named = authority.slice(authority.lastIndexOf('@') + 1);
  // `git@host:path` has no scheme, `host:80` a port; a bracketed address keeps its colons.
  const colon = named.startsWith('[') ? named.indexOf(':', end(named, /\]/)) : named.indexOf(':');
  const isPort = colon < 0 || scheme === undefined || /^:\d{1,5}$/.test(named.slice(colon));
  const isPlain = pieces.slice(0, -1).every((user) => pieces.length === 2 && /^[\w.:%+~-]*$/.test(user));
  const host = !isPlain || !isPort ? null : parseHost(colon < 0 ? named : named.slice(0, colon));
  return host === null ? undefined : describeTarget({ host, port: 1 }).replace(/:1$/, '');
}

function end(text: string, sign: RegExp): number {
  const at = text.search(sign);
  return at < 0 ? text.length : at;
}

/** Access to the host that a word names, or to an unknown one: an unknown part may be data that is sent. */
export function networkOf(word: Value): Effect {
  const text = addressIn(word);
  const host = hostOf(text);
  if (host === undefined) return { kind: 'network' };
  // A service of this machine is identified by its port.
  return { kind: 'network', host: isLoopback(host) ? `${host}:${portOf(text)}` : host };
}

/** The port of a local service that a word names; undefined for any other address. */
export function localPortOf(word: Value): string | undefined {
  const text = addressIn(word);
  const host = hostOf(text);
  return host !== undefined && isLoopback(host) ? portOf(text) : undefined;
}

/** Empty for an unknown word. */
function addressIn(word: Value): string {
  // `http://[::1]:5000/` has the form of a pattern, but matches no file.
  const bracketed =
    word.kind === 'glob' && /^[a-z]+:\/\/\[[0-9a-f:]+\](?::\d+)?(?:\/[\w./-]*)?$/i.test(word.pattern);
  return textOf(word) ?? (bracketed ? word.pattern : '');
}

/** This machine; in its sandbox a line has a private loopback. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** The port of an address with a readable host; the default of its scheme when none is written. */
function portOf(text: string): string {
  const address = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  const written = /:(\d{1,5})$/.exec(address.slice(0, end(address, /[/?#]/)))?.[1];
  return written?.replace(/^0+(?=\d)/, '') ?? (/^(?:https|wss):/i.test(text) ? '443' : '80');
}
