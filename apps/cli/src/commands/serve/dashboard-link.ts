import { UnavailableError } from '@signalbox/core';
import { clientAt } from '../../client/client-at.ts';
import { readAt } from '../../client/fetch-at.ts';
import { ANY_PORT, openPort } from '../../client/open-port.ts';
import { dashboardFiles } from '../../runtime/server/dashboard-files.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';

export type DashboardLink = Readonly<{
  url: string;
  /** Epoch milliseconds: two minutes from now. */
  expiresAt: number;
}>;

/**
 * A link that opens the dashboard of that coordinator once: on an open port, otherwise on one opened for as long as the
 * coordinator runs.
 *
 * @param port the address of an open port; default: the oldest
 * @throws {UnavailableError} `no-dashboard` if the link would lead to no page
 */
export async function dashboardLink(access: LocalAccess, port?: string): Promise<DashboardLink> {
  if (!(await servesPage(access))) throw notBuilt();
  const url = port ?? (await openPort(access, ANY_PORT, { until: 'coordinator-ends', reuse: 'any' })).url;
  const { code, expiresAt } = await clientAt(access).createEntryCode();
  // After the #: browsers don't send it and servers don't log it.
  return { url: `${url}/#enter=${code}`, expiresAt };
}

async function servesPage(access: LocalAccess): Promise<boolean> {
  return (await readAt(access, '/').catch(() => null))?.status === 200;
}

function notBuilt(): UnavailableError {
  return new UnavailableError('no-dashboard', 'Cannot open the dashboard: it is not built', {
    why: ['the coordinator is running, but has no page to serve'],
    next: [...dashboardFiles().howToBuild, 'signalbox watch   the same in a terminal'],
  });
}
