import { OpenedPort, type PortReuse } from '@signalbox/api';
import { UnavailableError } from '@signalbox/core';
import type { ListenOptions } from '@signalbox/server';
import { jsonOf, refusalOf } from './send-to.ts';
import type { LocalAccess } from '../runtime/server/local-access.ts';
import { fetchAt, textOf } from './fetch-at.ts';

/** A port of the running coordinator, open until it is closed here or this process ends. */
export type HeldPort = Readonly<{
  url: string;
  /** Settles when it is closed, from either side. */
  closed: Promise<void>;
  close(): void;
}>;

/** Any free port, for this machine only. */
export const ANY_PORT: ListenOptions = {
  host: '127.0.0.1',
  port: 0,
  allowedHosts: [],
  tls: null,
  allowPlainHttp: false,
};

/**
 * @param how `until`, default: until it is closed here. `reuse`, default: none, a new one.
 * @throws {UsageError} `not-loopback`. @throws {UnavailableError} `port-in-use`, `no-answer`.
 */
export async function openPort(
  access: LocalAccess,
  options: ListenOptions,
  {
    until = 'request-ends',
    reuse = 'none',
  }: Readonly<{ until?: 'request-ends' | 'coordinator-ends'; reuse?: PortReuse }> = {},
): Promise<HeldPort> {
  const leave = new AbortController();
  const { host, port, allowedHosts, tls, allowPlainHttp } = options;
  const response = await fetchAt(access, '/api/ports', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ host, port, allowedHosts, tls, allowPlainHttp, until, reuse }),
    signal: leave.signal,
  });
  if (response.status !== 200)
    throw refusalOf(access.url, response.status, { body: jsonOf(await textOf(response)) });
  const chunks = response.body[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true)
    throw new UnavailableError('no-answer', 'Cannot open the port: the coordinator has stopped');
  const { url } = OpenedPort.parse(jsonOf(new TextDecoder().decode(first.value)));
  const closed = (async () => {
    for (;;) if ((await chunks.next()).done === true) return;
  })().catch(() => undefined);
  return { url, closed, close: () => leave.abort() };
}
