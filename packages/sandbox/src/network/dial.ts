import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { type Clock, describeTarget, type Target } from '@signalbox/core';

const TIMEOUT_MS = 15_000;

/** Connects to a target at one of these addresses only, trying them in order. */
export function dial(target: Target, addresses: readonly string[], clock: Clock): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: target.host.text, port: target.port, lookup: lookupOf(addresses) });
    const name = describeTarget(target);
    const cancel = clock.timer(TIMEOUT_MS, () => {
      socket.destroy(new Error(`"${name}" did not answer within ${TIMEOUT_MS / 1000} s`));
    });
    socket.once('connect', () => {
      cancel();
      resolve(socket);
    });
    socket.once('error', (cause) => {
      cancel();
      reject('code' in cause ? new Error(`"${name}" cannot be reached: ${String(cause.code)}`) : cause);
    });
  });
}

/** Returns the checked addresses: DNS could answer differently a moment later. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_, options, callback) => {
    if (options.all === true) return callback(null, found);
    callback(null, found[0]?.address ?? '', found[0]?.family);
  };
}
