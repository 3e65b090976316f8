import { createEntryCode } from '@signalbox/api';
import { UnavailableError } from '@signalbox/core';
import { askServer } from './ask-server.ts';
import { dashboardFiles } from './dashboard-files.ts';
import type { LocalAccess } from './local-access.ts';

export type DashboardLink = Readonly<{
  url: string;
  /** Epoch milliseconds: two minutes from now. */
  expiresAt: number;
}>;

/**
 * A link that opens the dashboard of that server once.
 *
 * @throws {UnavailableError} `no-dashboard` where the link would lead to no page.
 */
export async function dashboardLink(access: LocalAccess): Promise<DashboardLink> {
  const asked = { method: 'POST', path: '/api/entry-codes', body: {} } as const;
  const { code, expiresAt } = await askServer(access, asked, createEntryCode.schema.response[200]);
  if (!(await servesPage(access))) throw notBuilt();
  // Behind the #: browsers send it nowhere and servers log it nowhere.
  return { url: `${access.url}/#enter=${code}`, expiresAt };
}

async function servesPage({ url }: LocalAccess): Promise<boolean> {
  const page = await fetch(url).catch(() => null);
  await page?.body?.cancel();
  return page?.ok === true;
}

function notBuilt(): UnavailableError {
  return new UnavailableError('no-dashboard', 'Cannot open the dashboard: it is not built', {
    why: ['the server answers, and has no page to show'],
    next: [...dashboardFiles().howToBuild, 'signalbox watch   the same in a terminal'],
  });
}
