import { UsageError } from '@signalbox/core';
import type { ListenOptions } from '../server-options.ts';

/** @throws {UsageError} `not-loopback` when others could eavesdrop and the operator has not allowed it. */
export function checkListen({ host, tls, allowPlainHttp }: ListenOptions): void {
  if (isLoopback(host) || tls !== null || allowPlainHttp) return;
  throw new UsageError('not-loopback', `Cannot listen on ${host}: the connection would not be encrypted`, {
    why: ['access tokens and source code would cross the network in plain text'],
    next: [
      '--tls-cert FILE --tls-key FILE',
      '--allow-plain-http when a proxy in front of it encrypts',
      'without --host: only this machine',
    ],
  });
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
