import type { Duplex } from 'node:stream';
import { type Clock, describeTarget, parseHost, parseTarget, type Target } from '@signalbox/core';
import { MAX_OPENING_BYTES, type TunnelStart, readOpening } from './client-hello.ts';

const TIMEOUT_MS = 15_000;
/** Every chunk is parsed again from the start; real clients send a few. */
const MAX_CHUNKS = 100;
/** The name is text from the command. */
const MAX_NAME_LENGTH = 100;

/** The first bytes of a client, as received. */
export type FirstBytes = { readonly bytes: Buffer; readonly opening: TunnelStart };

/** Waits for enough bytes of a tunnel to tell what it carries, then pauses the socket. */
export function readFirstBytes(socket: Duplex, head: Buffer, clock: Clock): Promise<FirstBytes> {
  return new Promise((resolve) => {
    let bytes = head;
    let chunks = 0;
    const cancel = clock.timer(TIMEOUT_MS, end);
    socket.on('data', add);
    socket.once('end', end);
    socket.once('close', end);
    add(Buffer.alloc(0));

    function add(more: Buffer): void {
      bytes = more.length === 0 ? bytes : Buffer.concat([bytes, more]);
      chunks += 1;
      const isEnough = chunks > MAX_CHUNKS || bytes.length > MAX_OPENING_BYTES;
      if (isEnough || readOpening(bytes).kind !== 'incomplete') end();
    }

    function end(): void {
      cancel();
      socket.pause();
      socket.off('data', add).off('end', end).off('close', end);
      resolve({ bytes, opening: readOpening(bytes) });
    }
  });
}

/** Why a tunnel to this target is rejected; null if it carries TLS or HTTP for exactly this host. */
export function whyNotCarried(opening: TunnelStart, target: Target): string | null {
  if (opening.kind === 'tls') {
    const { serverName } = opening;
    if (serverName === null || isSame(parseHost(serverName), target)) return null;
    return `its TLS asks for "${shown(serverName)}" and not for "${target.host.text}"`;
  }
  if (opening.kind === 'http') {
    const asked = opening.host === null ? null : parseTarget(opening.host, target.port);
    if (asked !== null && describeTarget(asked) === describeTarget(target)) return null;
    return opening.host === null
      ? 'its HTTP names no host, or two'
      : `its HTTP asks for "${shown(opening.host)}" and not for "${describeTarget(target)}"`;
  }
  return 'it carries neither TLS nor HTTP';
}

/** A remark on a tunnel that is allowed. */
export function noteOn(opening: TunnelStart, { host }: Target): string | null {
  if (opening.kind !== 'tls' || opening.serverName !== null || host.kind === 'address') return null;
  return 'its TLS named no server';
}

function isSame(host: Target['host'] | null, target: Target): boolean {
  return host !== null && host.text === target.host.text;
}

function shown(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH).replaceAll(/[^\x20-\x7e]/g, '?');
}
