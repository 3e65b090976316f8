import type { FastifyRequest } from 'fastify';

/**
 * Name of the dashboard's cookie at the address that the browser uses. Browsers send a cookie to every port of a host.
 * The port in the name keeps the dashboards of two workspaces from logging each other out.
 */
export function cookieNameOf({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const [, port] = /:(\d+)$/.exec(headers.host ?? '') ?? [];
  return port === undefined ? 'signalbox' : `signalbox-${port}`;
}
