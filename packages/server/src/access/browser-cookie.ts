import type { FastifyRequest } from 'fastify';

/**
 * Name of the dashboard's cookie at the address that the browser knows. Browsers send a cookie to every port of a host,
 * so the port is in its name: the dashboards of two workspaces do not log each other out.
 */
export function cookieNameOf({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const [, port] = /:(\d+)$/.exec(headers.host ?? '') ?? [];
  return port === undefined ? 'signalbox' : `signalbox-${port}`;
}
