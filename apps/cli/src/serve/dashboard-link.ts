import * as z from 'zod';
import { askServer } from './ask-server.ts';
import type { LocalAccess } from './local-access.ts';

const Code = z.object({ code: z.string(), expiresAt: z.number() });

export type DashboardLink = Readonly<{
  url: string;
  /** Epoch milliseconds: two minutes from now. */
  expiresAt: number;
}>;

/** A link that opens the dashboard of that server once. */
export async function dashboardLink(access: LocalAccess): Promise<DashboardLink> {
  const asked = { method: 'POST', path: '/api/entry-codes', body: {} } as const;
  const { code, expiresAt } = await askServer(access, asked, Code);
  // Behind the #: browsers send it nowhere and servers log it nowhere.
  return { url: `${access.url}/#enter=${code}`, expiresAt };
}
